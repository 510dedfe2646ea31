// Waits for the one image of a file's page, if that is what it shows, and says how much there is to photograph.
export const imageSize = async ({ isImage }) => {
  await document.fonts.ready;
  const root = document.documentElement;
  if (!isImage) return { width: root.scrollWidth, height: root.scrollHeight };
  const image = document.images[0];
  const read = image?.decode().then(
    () => true,
    () => false,
  );
  if (!(await read)) return null;
  const box = image.getBoundingClientRect();
  return { width: Math.max(1, Math.ceil(box.width)), height: Math.max(1, Math.ceil(box.height)) };
};
