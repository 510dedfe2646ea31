// What a thread does with pictures: all that takes longer the larger they are.
import { flushCompileCache } from "node:module";
import { decodePicture, hashPixels, type Pixels, packPicture, unpackPicture } from "./pictures.ts";

// The next thread finds what this one has read.
flushCompileCache();

export const decode = decodePicture;
export const hash = hashPixels;
export const pack = ({ pixels, base }: { pixels: Pixels; base?: Pixels }) => packPicture(pixels, base);
export const unpack = unpackPicture;
