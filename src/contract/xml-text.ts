import { escapeHtml } from "./escape-html.ts";

/** Replaces the characters that XML can't represent, such as most control characters. */
export function replaceInvalidXml(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\u{fffd}");
}

/** Escapes text for use inside an XML element or a quoted attribute. */
export function escapeXml(text: string): string {
  return escapeHtml(replaceInvalidXml(text));
}
