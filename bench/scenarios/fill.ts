import { createHash } from "node:crypto";

const placeholder = /%(hex|uuid|base64|epoch|digits|pick|shuffle|origin)(?::([^%]*))?%/g;

/**
 * Fills the placeholders of a page for one request: the same request number gives the same page, the next another.
 * `%hex:32%`, `%digits:4%`, `%base64:22%`, `%uuid%`, `%epoch%`, `%pick:a|b|c%` (the next in turn), `%shuffle:a|b|c%`
 * and `%origin%`.
 */
export function fill(text: string, request: number, origin: string): string {
  let position = 0;
  return text.replace(placeholder, (_, kind: string, argument = "") => {
    const random = createHash("sha256").update(`${request} ${position++}`).digest();
    const hex = random.toString("hex");
    const parts = argument.split("|");
    switch (kind) {
      case "hex":
        return hex.slice(0, Number(argument || 16));
      case "uuid":
        return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
      case "base64":
        return random.toString("base64url").slice(0, Number(argument || 22));
      case "epoch":
        return String(1_794_816_000 + request * 3607);
      case "digits":
        return BigInt(`0x${hex}`)
          .toString()
          .slice(-Number(argument || 4));
      case "pick":
        return parts[request % parts.length] ?? "";
      case "shuffle":
        return [...parts.slice(request % parts.length), ...parts.slice(0, request % parts.length)].join("");
      default:
        return origin;
    }
  });
}
