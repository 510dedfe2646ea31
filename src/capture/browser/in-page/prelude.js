// Runs in every document before its own scripts. Keeps the page in its initial state: content that appears only after
// seconds (carousels, polls, delayed pop-ups) would differ from capture to capture. Work that the page defers once, by
// up to five seconds, brings text: it is not waited for, but run early when the page is otherwise ready.
export const prelude = ({ secret, patienceMs }) => {
  const never = 0x7fffffff;
  const lateMs = 5_000;
  const clock = performance.now.bind(performance);
  let settledAt = 0;
  let depth = 0;
  /** How far the page's time is ahead of real time, in milliseconds, because deferred work ran early. */
  let ahead = 0;
  const deferredWork = new Map();
  const trackNesting =
    (handler) =>
    (...args) => {
      depth += 1;
      try {
        return Reflect.apply(handler, window, args);
      } finally {
        depth -= 1;
      }
    };
  const wrapTimer = (name, limit) => {
    window[name] = new Proxy(window[name], {
      apply: (native, self, [handler, delay, ...rest]) => {
        // Work deferred by up to a second belongs to the initial state, unless it was deferred inside another timer.
        if (depth === 0 && delay > 0 && delay <= 1_000) settledAt = Math.max(settledAt, clock() + delay);
        const wrapped = typeof handler === "function" ? trackNesting(handler) : handler;
        const isDeferred = depth === 0 && delay > 1_000 && ahead + delay <= lateMs;
        if (isDeferred && name === "setTimeout" && typeof handler === "function" && delay > patienceMs) {
          const id = Reflect.apply(native, self, [wrapped, never]);
          deferredWork.set(id, { due: clock() + ahead + delay, run: () => wrapped(...rest) });
          return id;
        }
        const isFrozen = delay >= limit && delay > patienceMs;
        return Reflect.apply(native, self, [wrapped, isFrozen ? never : delay, ...rest]);
      },
    });
  };
  wrapTimer("setInterval", 2_000);
  wrapTimer("setTimeout", 3_000);
  const clearTimer = window.clearTimeout.bind(window);
  for (const name of ["clearTimeout", "clearInterval"]) {
    window[name] = new Proxy(window[name], {
      apply: (native, self, [id]) => {
        deferredWork.delete(id);
        return Reflect.apply(native, self, [id]);
      },
    });
  }
  /** Runs the deferred work now, in order of its due time; returns how many functions that were. */
  const hasten = () => {
    const all = [...deferredWork].sort(([, one], [, other]) => one.due - other.due);
    for (const [id, { due, run }] of all) {
      // One function may have canceled another.
      if (!deferredWork.delete(id)) continue;
      clearTimer(id);
      ahead = Math.max(ahead, due - clock());
      try {
        run();
      } catch (error) {
        noteError("Uncaught", error);
      }
    }
    return all.length;
  };

  // Errors are recorded here and not through DevTools: a page that logs endlessly would fill the pipe, and sites check
  // for a DevTools listener.
  const errors = [];
  const noteError = (...parts) => {
    if (errors.length < 50)
      errors.push(
        parts
          .map((part) => `${part}`)
          .join(" ")
          .slice(0, 500),
      );
  };
  for (const name of ["log", "info", "debug", "warn", "error", "trace", "dir", "table", "assert"]) {
    const record = name === "error" ? noteError : () => {};
    window.console[name] = new Proxy(window.console[name], {
      apply: (_native, _self, parts) => record(...parts),
    });
  }
  window.addEventListener("error", (event) => event.message && noteError(event.message), true);
  window.addEventListener("unhandledrejection", (event) => noteError("Uncaught (in promise)", event.reason));

  let watchesScrolling = false;
  window.IntersectionObserver = new Proxy(window.IntersectionObserver, {
    construct: (native, args, self) => {
      watchesScrolling = true;
      return Reflect.construct(native, args, self);
    },
  });
  const { stringify } = JSON;
  const dispatch = window.dispatchEvent.bind(window);
  const AnswerEvent = CustomEvent;
  const listen = (name, createAnswer) =>
    window.addEventListener(name, (event) => {
      event.stopImmediatePropagation();
      dispatch(new AnswerEvent(`${name}-answer`, { detail: stringify(createAnswer()) }));
    });
  listen(secret, () => ({ watchesScrolling, errors, dueMs: settledAt - clock() }));
  listen(`${secret}-hasten`, hasten);

  const pauseVideo = (event) => {
    const media = event.target;
    if (!(media instanceof HTMLVideoElement)) return;
    media.pause();
  };
  document.addEventListener("play", pauseVideo, true);
  document.addEventListener("playing", pauseVideo, true);
};
