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

  let watchesScrolling = false;
  window.IntersectionObserver = new Proxy(window.IntersectionObserver, {
    construct: (native, args, self) => {
      watchesScrolling = true;
      return Reflect.construct(native, args, self);
    },
  });
  window.addEventListener(secret, (event) => {
    if (watchesScrolling) event.preventDefault();
    event.stopImmediatePropagation();
  });

  const hush = (event) => {
    const media = event.target;
    if (!(media instanceof HTMLVideoElement)) return;
    media.pause();
  };
  document.addEventListener("play", hush, true);
  document.addEventListener("playing", hush, true);
};
