// What a thread does with pictures: all that takes longer the larger they are.
import { decodePicture, hashPixels, type Pixels, packPicture, unpackPicture } from "./pictures.ts";

export const decode = decodePicture;
export const hash = hashPixels;
export const pack = ({ pixels, base }: { pixels: Pixels; base?: Pixels }) => packPicture(pixels, base);
export const unpack = unpackPicture;
