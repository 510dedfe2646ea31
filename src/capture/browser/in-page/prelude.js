// Runs in every document before its own scripts. Keeps the page at its start: what a reader would have to wait
// seconds for (carousels, polls, late pop-ups) would differ from capture to capture.
export const prelude = (secret) => {
  const never = 0x7fffffff;
  const held = (name, limit) => {
    window[name] = new Proxy(window[name], {
      apply: (native, self, [handler, delay, ...rest]) =>
        Reflect.apply(native, self, [handler, delay >= limit ? never : delay, ...rest]),
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
  const noting = { apply: (native, self, parts) => (note(...parts), Reflect.apply(native, self, parts)) };
  console.error = new Proxy(console.error, noting);
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
    answer(new CustomEvent(`${secret}-answer`, { detail: stringify({ watchesScrolling, errors }) }));
  });

  const hush = (event) => {
    const media = event.target;
    if (!(media instanceof HTMLVideoElement)) return;
    media.pause();
  };
  document.addEventListener("play", hush, true);
  document.addEventListener("playing", hush, true);
};
