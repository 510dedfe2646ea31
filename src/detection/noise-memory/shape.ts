import { contactsIn } from "../hacked-pages/contacts.ts";
import { isDefacement, isSpam } from "../noise/mask-text.ts";

/** What the values at a volatile location have in common. */
export type Shape = { minLength: number; maxLength: number; kinds: string };

/** Kinds of content: letters, digits, money, addresses, e-mail addresses, characters as in markup, contacts. */
export function shapeOf(text: string): Shape {
  let kinds = "";
  if (/\p{L}/u.test(text)) kinds += "l";
  if (/\d/.test(text)) kinds += "d";
  if (/[$€£¥₹]/.test(text)) kinds += "m";
  if (/https?:\/\/|www\./i.test(text)) kinds += "u";
  if (/\S@\S/.test(text)) kinds += "e";
  if (/<[\p{L}/!?]|[{}]/u.test(text)) kinds += "c";
  if (contactsIn(text).named.length > 0) kinds += "k";
  return { minLength: text.length, maxLength: text.length, kinds };
}

export function widen(a: Shape, b: Shape): Shape {
  const kinds = [...new Set(a.kinds + b.kinds)].sort().join("");
  return {
    minLength: Math.min(a.minLength, b.minLength),
    maxLength: Math.max(a.maxLength, b.maxLength),
    kinds,
  };
}

/** Whether a value could come from the same source: no new kind of content, no very different length. */
export function fits(shape: Shape, text: string): boolean {
  if (isSpam(text) || isDefacement(text)) return false;
  const ownShape = shapeOf(text);
  for (const kind of ownShape.kinds) {
    if (shape.kinds.includes(kind)) continue;
    if (kind === "d" && shape.kinds.includes("l") && shape.maxLength > 20) continue;
    return false;
  }
  const slack = shape.kinds === "d" ? 1 : 4;
  return text.length <= shape.maxLength * 2 + slack && text.length >= Math.floor(shape.minLength / 3) - slack;
}
