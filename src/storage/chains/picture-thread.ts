// What a thread does with pictures: all that takes longer the larger they are.
import { layRows, type RowDelta } from "#detection/diff-rows.ts";
import { decodePicture, hashPixels, type Pixels, packPicture, unpackLink } from "./pictures.ts";

export const decode = decodePicture;
export const hash = hashPixels;
export const pack = ({ pixels, base }: { pixels: Pixels; base?: Pixels }) => packPicture(pixels, base);
export const unpack = unpackLink;
export const lay = ({ links, height, stride }: { links: RowDelta[]; height: number; stride: number }) =>
  layRows(links, height, stride);
