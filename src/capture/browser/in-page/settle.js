// Runs in an isolated world: stops animations and videos, and waits until the page no longer changes.
export const settle = async ({ secret, scrollSteps, scrolls, waitMs, imagesMs, textLength }) => {
  const stillMs = 400;
  const maxSettleMs = 5_000;
  const maxVideoMs = 2_000;
  const firstPictureSeconds = 0.1;
  const end = performance.now() + waitMs;
  const remainingMs = () => Math.max(0, end - performance.now());
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  // A hidden or busy page may never draw a frame.
  const frame = () => Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), pause(200)]);
  const root = document.documentElement;
  // Asks the prelude what it recorded in the page's own world.
  const askPrelude = () => {
    let detail = '{"watchesScrolling":false,"errors":[],"dueMs":0}';
    const onAnswer = (event) => {
      event.stopImmediatePropagation();
      detail = String(event.detail);
    };
    window.addEventListener(`${secret}-answer`, onAnswer, { capture: true, once: true });
    window.dispatchEvent(new Event(secret));
    const { watchesScrolling, errors, dueMs } = JSON.parse(detail);
    // The page itself may have answered instead of the prelude.
    return { watchesScrolling, dueMs, errors: errors.slice(0, 50).map((error) => `${error}`.slice(0, 500)) };
  };
  if (!root) return { errors: [], frames: 0 };

  const { dueMs } = askPrelude();
  if (dueMs > 0) await pause(Math.min(remainingMs(), dueMs));

  const height = () => Math.max(root.scrollHeight, document.body?.scrollHeight ?? 0);
  const lazySelector =
    "[loading=lazy],[data-src],[data-srcset],[data-lazy-src],[data-original],[data-bg],.lazy,.lazyload,.lozad";
  const loadsOnScroll = () => document.querySelector(lazySelector) !== null || askPrelude().watchesScrolling;
  let scrolled = 0;
  if (scrolls || (height() > innerHeight && loadsOnScroll())) {
    // Pages that grow while scrolling (infinite scrolling) end at the step limit.
    while (scrolled < scrollSteps && (scrolled + 1) * innerHeight < height() && remainingMs() > 0) {
      scrolled += 1;
      window.scrollTo({ top: scrolled * innerHeight, behavior: "instant" });
      await frame();
      await frame();
      // A page that loads more when its end is reached needs a moment to do so.
      const end = height();
      if (scrolls && (scrolled + 1) * innerHeight >= end)
        for (let waited = 0; waited < 10 && height() === end && remainingMs() > 0; waited++) await pause(100);
    }
    window.scrollTo({ top: 0, behavior: "instant" });
    await frame();
  }

  const unloaded = () => [...document.images].filter((image) => !image.complete && image.loading !== "lazy");
  const loaded = (async () => {
    await document.fonts.ready;
    while (unloaded().length > 0 && remainingMs() > 0) await pause(30);
  })();
  await Promise.race([loaded, pause(Math.min(remainingMs(), imagesMs))]);

  // The first picture may still be on its way, and the one of another moment stays until it is drawn.
  const showFirstPicture = async (video) => {
    video.pause();
    while (video.readyState < 2 && video.networkState === video.NETWORK_LOADING) await pause(30);
    if (video.currentTime === 0) return;
    const drawn = new Promise((resolve) => {
      const look = (_now, { mediaTime }) =>
        mediaTime < firstPictureSeconds ? resolve() : video.requestVideoFrameCallback(look);
      video.requestVideoFrameCallback(look);
    });
    video.currentTime = 0;
    await drawn;
  };
  const videos = [...document.querySelectorAll("video")].map(showFirstPicture);
  if (videos.length > 0)
    await Promise.race([Promise.all(videos), pause(Math.min(remainingMs(), maxVideoMs))]);

  const stopAnimations = () => {
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
  stopAnimations();
  let last = layout();
  let length = lengthNow();
  // Text that is still growing arrives in pieces, further apart than frames.
  let stillUntil = length === textLength ? 0 : performance.now() + stillMs;
  const stopAt = performance.now() + Math.min(remainingMs(), maxSettleMs);
  let equal = 0;
  while ((equal < 2 || performance.now() < stillUntil) && performance.now() < stopAt) {
    await frame();
    stopAnimations();
    const now = layout();
    equal = now === last ? equal + 1 : 0;
    last = now;
    if (length === lengthNow()) continue;
    length = lengthNow();
    stillUntil = performance.now() + stillMs;
  }
  // Last, because autofocus takes effect with a frame. Only if there is a caret to hide: a rule for every element makes
  // the page compute all its styles again.
  if (document.activeElement && document.activeElement !== document.body) {
    const hiddenCaret = new CSSStyleSheet();
    hiddenCaret.replaceSync("*{caret-color:transparent!important}");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, hiddenCaret];
  }
  return { errors: askPrelude().errors, frames: window.length };
};
