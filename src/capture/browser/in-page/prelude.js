// Runs in every document before its own scripts. Keeps the page at its start: what a reader would have to wait
// seconds for (carousels, polls, late pop-ups) would differ from capture to capture. What it puts off once, by up to
// five seconds, is text on its way: it is not waited for but done when the page is otherwise ready.
export const prelude = ({ secret, patienceMs }) => {
  const never = 0x7fffffff;
  const lateMs = 5_000;
  const clock = performance.now.bind(performance);
  let settledAt = 0;
  let depth = 0;
  /** How far the page's time is ahead of ours, by what was done early. */
  let ahead = 0;
  const late = new Map();
  const nestedIn =
    (handler) =>
    (...args) => {
      depth += 1;
      try {
        return Reflect.apply(handler, window, args);
      } finally {
        depth -= 1;
      }
    };
  const held = (name, limit) => {
    window[name] = new Proxy(window[name], {
      apply: (native, self, [handler, delay, ...rest]) => {
        // Work put off by less than a second belongs to the start; what timers themselves put off does not.
        if (depth === 0 && delay > 0 && delay <= 1_000) settledAt = Math.max(settledAt, clock() + delay);
        const wrapped = typeof handler === "function" ? nestedIn(handler) : handler;
        const isLate = depth === 0 && delay > 1_000 && ahead + delay <= lateMs;
        if (isLate && name === "setTimeout" && typeof handler === "function" && delay > patienceMs) {
          const id = Reflect.apply(native, self, [wrapped, never]);
          late.set(id, { due: clock() + ahead + delay, run: () => wrapped(...rest) });
          return id;
        }
        const isHeld = delay >= limit && delay > patienceMs;
        return Reflect.apply(native, self, [wrapped, isHeld ? never : delay, ...rest]);
      },
    });
  };
  held("setInterval", 2_000);
  held("setTimeout", 3_000);
  const forget = window.clearTimeout.bind(window);
  for (const name of ["clearTimeout", "clearInterval"]) {
    window[name] = new Proxy(window[name], {
      apply: (native, self, [id]) => {
        late.delete(id);
        return Reflect.apply(native, self, [id]);
      },
    });
  }
  /** Does now what was put off, in its order; says how much that was. */
  const hasten = () => {
    const all = [...late].sort(([, one], [, other]) => one.due - other.due);
    for (const [id, { due, run }] of all) {
      // One may have called off another.
      if (!late.delete(id)) continue;
      forget(id);
      ahead = Math.max(ahead, due - clock());
      try {
        run();
      } catch (error) {
        note("Uncaught", error);
      }
    }
    return all.length;
  };

  // Heard here and not through DevTools: a page that only shouts would fill the pipe, and sites look for a listener.
  const errors = [];
  const note = (...parts) => {
    if (errors.length < 50)
      errors.push(
        parts
          .map((part) => `${part}`)
          .join(" ")
          .slice(0, 500),
      );
  };
  for (const name of ["log", "info", "debug", "warn", "error", "trace", "dir", "table", "assert"]) {
    const hear = name === "error" ? note : () => {};
    window.console[name] = new Proxy(window.console[name], {
      apply: (_native, _self, parts) => hear(...parts),
    });
  }
  window.addEventListener("error", (event) => event.message && note(event.message), true);
  window.addEventListener("unhandledrejection", (event) => note("Uncaught (in promise)", event.reason));

  let watchesScrolling = false;
  window.IntersectionObserver = new Proxy(window.IntersectionObserver, {
    construct: (native, args, self) => {
      watchesScrolling = true;
      return Reflect.construct(native, args, self);
    },
  });
  const { stringify } = JSON;
  const answer = window.dispatchEvent.bind(window);
  const Answer = CustomEvent;
  const listen = (name, tell) =>
    window.addEventListener(name, (event) => {
      event.stopImmediatePropagation();
      answer(new Answer(`${name}-answer`, { detail: stringify(tell()) }));
    });
  listen(secret, () => ({ watchesScrolling, errors, dueMs: settledAt - clock() }));
  listen(`${secret}-hasten`, hasten);

  const hush = (event) => {
    const media = event.target;
    if (!(media instanceof HTMLVideoElement)) return;
    media.pause();
  };
  document.addEventListener("play", hush, true);
  document.addEventListener("playing", hush, true);
};
