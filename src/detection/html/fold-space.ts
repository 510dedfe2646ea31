import { foldInvisible } from "../fold-invisible.ts";

/** White space as a reader sees it: runs become one, invisible characters go. */
export function foldSpace(text: string): string {
  return foldInvisible(text).replace(/\s+/g, " ").trim();
}
