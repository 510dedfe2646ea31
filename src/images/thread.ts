// The work on pictures that is done in threads: everything that takes longer for larger pictures.
import { flushCompileCache } from "node:module";
import { decodePicture, packPicture, unpackPicture } from "./pack-picture.ts";
import { hashPixels, type Pixels } from "./pixels.ts";

// Writes compiled code to the cache, so that the next thread finds it.
flushCompileCache();

export const decode = decodePicture;
export const hash = hashPixels;
export const pack = ({ pixels, base }: { pixels: Pixels; base?: Pixels }) => packPicture(pixels, base);
export const unpack = unpackPicture;
