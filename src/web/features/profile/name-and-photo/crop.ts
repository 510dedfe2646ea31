/** The center of the crop as a fraction of the picture's width and height, and its zoom factor. */
export type Crop = { x: number; y: number; zoom: number };

export type Square = { left: number; top: number; side: number };

export const maximumZoom = 4;

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** Returns the square of the picture that a crop shows; it never extends beyond the picture. */
export function squareOf(width: number, height: number, crop: Crop): Square {
  const side = Math.min(width, height) / clamp(crop.zoom, 1, maximumZoom);
  return {
    left: clamp(crop.x * width - side / 2, 0, width - side),
    top: clamp(crop.y * height - side / 2, 0, height - side),
    side,
  };
}

/** Moves the crop by fractions of its own side length and keeps it inside the picture. */
export function moveCrop(width: number, height: number, crop: Crop, dx: number, dy: number): Crop {
  const { left, top, side } = squareOf(width, height, crop);
  const moved = squareOf(width, height, {
    ...crop,
    x: (left + side / 2 + dx * side) / width,
    y: (top + side / 2 + dy * side) / height,
  });
  return { ...crop, x: (moved.left + side / 2) / width, y: (moved.top + side / 2) / height };
}
