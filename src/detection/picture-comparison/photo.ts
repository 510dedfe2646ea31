import type { Box } from "../verdict/verdict.ts";

/** An image that the page shows, and whether the rules leave it. */
export type Photo = { src: string; box: Box; isLeft: boolean };

type Shown = { html: string; images?: { src: string; box: Box }[] };

/** The images of a filtered capture, which lists those of the whole page; its HTML names only those that are left. */
export const photosOf = ({ html, images = [] }: Shown): Photo[] =>
  images.map(({ src, box }) => ({ src, box, isLeft: html.includes(fileOf(src)) }));

/** The last part of an address, as pages may write it in front of anything else. */
const fileOf = (src: string) =>
  src
    .replace(/^url\(["']?|["']?\)$/g, "")
    .split(/[?#]/, 1)[0]
    ?.split("/")
    .at(-1) || src;
