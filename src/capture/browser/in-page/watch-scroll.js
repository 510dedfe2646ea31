// With a target: remembers the positions of all that a wheel over it may scroll. Without: waits until they stand still,
// says which one moved, and holds it as the step's element; null if none did.
export const watchScroll = async (_, target) => {
  const key = Symbol.for("scrolled-parts");
  const page = document.scrollingElement;
  const outer = (node) => node.parentNode ?? node.host ?? null;
  if (target !== undefined) {
    const parts = [];
    for (let at = target; at; at = outer(at)) if (at instanceof Element && at !== page) parts.push(at);
    if (page) parts.push(page);
    globalThis[key] = parts.map((part) => ({ part, x: part.scrollLeft, y: part.scrollTop }));
    return null;
  }
  const parts = globalThis[key] ?? [];
  const positions = () => parts.map(({ part }) => `${part.scrollLeft} ${part.scrollTop}`).join();
  // A page that isn't drawn has no frames to wait for.
  const nextFrame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve);
      setTimeout(resolve, 100);
    });
  let last = null;
  for (let frames = 0; frames < 60 && last !== positions(); frames++) {
    last = positions();
    await nextFrame();
    await nextFrame();
  }
  const moved = parts.find(({ part, x, y }) => part.scrollLeft !== x || part.scrollTop !== y);
  if (!moved) return null;
  const { part } = moved;
  globalThis[Symbol.for("step-element")] = part;
  return { x: Math.round(part.scrollLeft), y: Math.round(part.scrollTop), isPage: part === page };
};
