// Waits for the image of a file's page, if it shows one, and returns the size of the picture to take.
export const imageSize = async ({ isImage }) => {
  await document.fonts.ready;
  const root = document.documentElement;
  if (!isImage) return { width: root.scrollWidth, height: root.scrollHeight };
  const image = document.images[0];
  const isDecoded = image?.decode().then(
    () => true,
    () => false,
  );
  if (!(await isDecoded)) return null;
  const box = image.getBoundingClientRect();
  return { width: Math.max(1, Math.ceil(box.width)), height: Math.max(1, Math.ceil(box.height)) };
};
