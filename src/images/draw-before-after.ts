import sharp from "sharp";

type Box = { x: number; y: number; width: number; height: number };
/** A location to mark, in the pixels of either picture. */
export type Mark = { kind: "added" | "removed" | "changed" | "moved"; old: Box | null; new: Box | null };

type Picture = { width: number; height: number; data: Uint8Array };

const view = { width: 1280, height: 960 };
const shown = { width: 480, height: 360 };
const gap = 8;
const context = 120;

/** Draws both captures side by side as a small JPEG, cropped to where they first differ. */
export async function drawBeforeAfter(before: Picture, after: Picture, marks: Mark[] = []): Promise<Buffer> {
  const top = Math.max(0, firstDifference(before, after) - context);
  const [left, right] = await Promise.all([
    cutAndShrink(
      before,
      top,
      marks.map((mark) => ({ kind: mark.kind, box: mark.old })),
    ),
    cutAndShrink(
      after,
      top,
      marks.map((mark) => ({ kind: mark.kind, box: mark.new })),
    ),
  ]);
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

const markColors: Record<Mark["kind"], string> = {
  added: "#1b8a4b",
  removed: "#c8372d",
  changed: "#b57a14",
  moved: "#1f5fa8",
};

async function cutAndShrink(
  picture: Picture,
  wantedTop: number,
  marks: { kind: Mark["kind"]; box: Box | null }[],
): Promise<Buffer> {
  const { width, height, data } = picture;
  // If a page ends above the difference, its last part is shown.
  const top = Math.max(0, Math.min(wantedTop, height - Math.min(height, view.height)));
  const channels = (data.length / width / height) as 3 | 4;
  const cut = { width: Math.min(width, view.width), height: Math.min(height - top, view.height) };
  // Only the rows that are shown: sharp copies what it gets, and a tall page has tens of megabytes.
  const rows = data.subarray(top * width * channels, (top + cut.height) * width * channels);
  return sharp(rows, { raw: { width, height: cut.height, channels } })
    .extract({ left: 0, top: 0, ...cut })
    .flatten({ background: "#ffffff" })
    .resize(shown.width, shown.height, { fit: "contain", position: "top", background: "#ffffff" })
    .composite(marks.length > 0 ? [{ input: drawMarks(marks, cut, top) }] : [])
    .png()
    .toBuffer();
}

/** Draws frames around the changes, at their location in the shrunken picture. */
function drawMarks(
  marks: { kind: Mark["kind"]; box: Box | null }[],
  cut: { width: number; height: number },
  top: number,
): Buffer {
  const scale = Math.min(shown.width / cut.width, shown.height / cut.height);
  const left = (shown.width - cut.width * scale) / 2;
  const frames = marks.flatMap(({ kind, box }) =>
    box
      ? `<rect x="${left + box.x * scale - 2}" y="${(box.y - top) * scale - 2}" width="${box.width * scale + 4}" height="${box.height * scale + 4}" fill="none" stroke="${markColors[kind]}" stroke-width="2"/>`
      : [],
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${shown.width}" height="${shown.height}">${frames.join("")}</svg>`,
  );
}
