// Runs in every document before its own scripts. Keeps the page at its start: what a reader would have to wait
// seconds for (carousels, polls, late pop-ups) would differ from capture to capture.
export const prelude = (secret) => {
  const never = 0x7fffffff;
  const clock = performance.now.bind(performance);
  let settledAt = 0;
  let depth = 0;
  const held = (name, limit) => {
    window[name] = new Proxy(window[name], {
      apply: (native, self, [handler, delay, ...rest]) => {
        // Work put off by less than a second belongs to the start; what timers themselves put off does not.
        if (depth === 0 && delay > 0 && delay <= 1_000) settledAt = Math.max(settledAt, clock() + delay);
        const nested = (...args) => {
          depth += 1;
          try {
            return Reflect.apply(handler, window, args);
          } finally {
            depth -= 1;
          }
        };
        const wrapped = typeof handler === "function" ? nested : handler;
        return Reflect.apply(native, self, [wrapped, delay >= limit ? never : delay, ...rest]);
      },
    });
  };
  held("setInterval", 2_000);
  held("setTimeout", 3_000);

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
  window.addEventListener(secret, (event) => {
    event.stopImmediatePropagation();
    answer(
      new CustomEvent(`${secret}-answer`, {
        detail: stringify({ watchesScrolling, errors, dueMs: settledAt - clock() }),
      }),
    );
  });

  const hush = (event) => {
    const media = event.target;
    if (!(media instanceof HTMLVideoElement)) return;
    media.pause();
  };
  document.addEventListener("play", hush, true);
  document.addEventListener("playing", hush, true);
};
