// Lists where the page shows images, and their URLs. Runs in an isolated world.
export const images = ({ max }) => {
  const found = [];
  for (const element of document.querySelectorAll('img, video, canvas, image, [style*="url("]')) {
    if (found.length >= max) break;
    const box = element.getBoundingClientRect();
    if (box.width < 8 || box.height < 8) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    // An image that has not loaded yet shows nothing that could be replaced.
    if (element.tagName === "IMG" && element.naturalWidth === 0) continue;
    const drawn = element.currentSrc || element.src || element.href?.baseVal;
    const src = drawn || getComputedStyle(element).backgroundImage || "";
    found.push({
      src: String(src).slice(0, 500),
      box: {
        x: Math.round(box.left + scrollX),
        y: Math.round(box.top + scrollY),
        width: Math.round(box.width),
        height: Math.round(box.height),
      },
    });
  }
  return found;
};
