import sharp from "sharp";

type Picture = { width: number; height: number; data: Uint8Array };

const view = { width: 1280, height: 960 };
const shown = { width: 480, height: 360 };
const gap = 8;
const context = 120;

/** Both captures side by side as a small JPEG, cut to where they first differ. */
export async function drawBeforeAfter(before: Picture, after: Picture): Promise<Buffer> {
  const top = Math.max(0, firstDifference(before, after) - context);
  const [left, right] = await Promise.all([cutAndShrink(before, top), cutAndShrink(after, top)]);
  return sharp({
    create: {
      width: shown.width * 2 + gap * 3,
      height: shown.height + gap * 2,
      channels: 3,
      background: "#8a949e",
    },
  })
    .composite([
      { input: left, left: gap, top: gap },
      { input: right, left: shown.width + gap * 2, top: gap },
    ])
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer();
}

/** The first row in which the pictures differ. */
function firstDifference(before: Picture, after: Picture): number {
  if (before.width !== after.width) return 0;
  const stride = before.data.length / before.height;
  const height = Math.min(before.height, after.height);
  for (let row = 0; row < height; row++) {
    const one = before.data.subarray(row * stride, (row + 1) * stride);
    const other = after.data.subarray(row * stride, (row + 1) * stride);
    if (Buffer.compare(one, other) !== 0) return row;
  }
  return height;
}

async function cutAndShrink(picture: Picture, wantedTop: number): Promise<Buffer> {
  const { width, height, data } = picture;
  // Where a page ended before the difference, its last part is shown.
  const top = Math.max(0, Math.min(wantedTop, height - Math.min(height, view.height)));
  const channels = (data.length / width / height) as 3 | 4;
  return sharp(data, { raw: { width, height, channels } })
    .extract({
      left: 0,
      top,
      width: Math.min(width, view.width),
      height: Math.min(height - top, view.height),
    })
    .flatten({ background: "#ffffff" })
    .resize(shown.width, shown.height, { fit: "contain", position: "top", background: "#ffffff" })
    .png()
    .toBuffer();
}
