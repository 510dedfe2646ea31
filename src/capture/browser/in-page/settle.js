// Runs in a world of its own beside the page's: waits until the page stands still, and makes it.
export const settle = async ({ secret, scrollSteps, waitMs, imagesMs, textLength }) => {
  const stillMs = 400;
  const standMs = 5_000;
  const end = performance.now() + waitMs;
  const left = () => Math.max(0, end - performance.now());
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  // A hidden or busy page may owe us a frame for ever.
  const frame = () => Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), pause(200)]);
  const root = document.documentElement;
  // What the prelude saw from within the page's own world.
  const heard = () => {
    let detail = '{"watchesScrolling":false,"errors":[],"dueMs":0}';
    const hear = (event) => {
      event.stopImmediatePropagation();
      detail = String(event.detail);
    };
    window.addEventListener(`${secret}-answer`, hear, { capture: true, once: true });
    window.dispatchEvent(new Event(secret));
    const { watchesScrolling, errors, dueMs } = JSON.parse(detail);
    // The page may have answered in the prelude's place.
    return { watchesScrolling, dueMs, errors: errors.slice(0, 50).map((error) => `${error}`.slice(0, 500)) };
  };
  if (!root) return { errors: [], frames: 0 };

  const { dueMs } = heard();
  if (dueMs > 0) await pause(Math.min(left(), dueMs));

  const height = () => Math.max(root.scrollHeight, document.body?.scrollHeight ?? 0);
  const lazy =
    "[loading=lazy],[data-src],[data-srcset],[data-lazy-src],[data-original],[data-bg],.lazy,.lazyload,.lozad";
  const loadsOnScroll = () => document.querySelector(lazy) !== null || heard().watchesScrolling;
  let scrolled = 0;
  if (height() > innerHeight && loadsOnScroll()) {
    // Pages that grow while they are read (infinite scrolling) end at the step limit.
    while (scrolled < scrollSteps && (scrolled + 1) * innerHeight < height() && left() > 0) {
      scrolled += 1;
      window.scrollTo({ top: scrolled * innerHeight, behavior: "instant" });
      await frame();
      await frame();
    }
    window.scrollTo({ top: 0, behavior: "instant" });
    await frame();
  }

  const pictures = () => [...document.images].filter((image) => !image.complete && image.loading !== "lazy");
  const loaded = (async () => {
    await document.fonts.ready;
    while (pictures().length > 0 && left() > 0) await pause(30);
  })();
  await Promise.race([loaded, pause(Math.min(left(), imagesMs))]);

  for (const video of document.querySelectorAll("video")) {
    video.pause();
    if (video.readyState === 0 || video.currentTime === 0) continue;
    const back = new Promise((resolve) => video.addEventListener("seeked", resolve, { once: true }));
    video.currentTime = 0;
    await Promise.race([back, pause(Math.min(left(), 1_000))]);
  }

  const halt = () => {
    for (const animation of document.getAnimations()) {
      try {
        if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
        else animation.finish();
      } catch {
        animation.cancel();
      }
    }
  };
  const lengthNow = () => root.textContent.length;
  const layout = () =>
    [root.scrollWidth, height(), document.getElementsByTagName("*").length, document.images.length].join();
  halt();
  let last = layout();
  let length = lengthNow();
  // Text that has been growing comes in pieces, further apart than frames.
  let stillUntil = length === textLength ? 0 : performance.now() + stillMs;
  const stopAt = performance.now() + Math.min(left(), standMs);
  let equal = 0;
  while ((equal < 2 || performance.now() < stillUntil) && performance.now() < stopAt) {
    await frame();
    halt();
    const now = layout();
    equal = now === last ? equal + 1 : 0;
    last = now;
    if (length === lengthNow()) continue;
    length = lengthNow();
    stillUntil = performance.now() + stillMs;
  }
  // Last, because autofocus comes with a frame. Only where there is a caret to hide: a rule for every element makes the
  // page compute all its styles again.
  if (document.activeElement && document.activeElement !== document.body) {
    const still = new CSSStyleSheet();
    still.replaceSync("*{caret-color:transparent!important}");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  }
  return { errors: heard().errors, frames: window.length };
};
