import { severityOf } from "../severity/severity.ts";
import { type Clue, clue, shorten, withoutVersions } from "./clue.ts";

const attributes = new Map(
  ["src", "action", "method", "type", "name"].map((name) => [
    name,
    new RegExp(`[\\s"'/]${name}\\s{0,4}=\\s{0,4}(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i"),
  ]),
);

/** Finds clues in one HTML tag: `tag` is its text from "<" on. */
export function findElement(tag: string, base: string, at: number): Clue[] {
  const name = /^<([a-z]{4,6})\b/i.exec(tag)?.[1]?.toLowerCase();
  if (name === "script") {
    const host = hostOf(attribute(tag, "src"), base);
    const isForeign = host !== "" && host !== hostOf(base, base);
    return isForeign ? [clue("script-host", severityOf.scriptFromOtherHost, host, at)] : [];
  }
  if (name === "form") {
    const action = attribute(tag, "action").split(/[?#]/, 1)[0]!;
    const host = hostOf(action, base);
    const method = attribute(tag, "method").toUpperCase() || "GET";
    const isForeign = host !== "" && host !== hostOf(base, base);
    const value = `${method} ${action || "(this page)"}`;
    const severity = isForeign ? severityOf.formToOtherHost : severityOf.formToOwnHost;
    return [clue("form", severity, value, at, withoutVersions(value))];
  }
  if (name === "input") {
    const type = attribute(tag, "type").toLowerCase();
    if (type !== "file" && type !== "password") return [];
    const value = `${type} ${shorten(attribute(tag, "name"), 60)}`.trim();
    return [clue("input", severityOf.passwordOrFileInput, value, at, withoutVersions(value))];
  }
  return [];
}

function attribute(tag: string, name: string): string {
  const end = tag.indexOf(">");
  const text = end < 0 ? tag.slice(0, 4000) : tag.slice(0, Math.min(end, 4000));
  const match = attributes.get(name)?.exec(text);
  return (match?.[1] ?? match?.[2] ?? match?.[3] ?? "").trim();
}

/** The host that a reference leads to, "" if a browser would not load it. */
export function hostOf(reference: string, base: string): string {
  if (!URL.canParse(reference, base)) return "";
  const url = new URL(reference, base);
  return /^(?:https?|wss?):$/.test(url.protocol) ? url.host : "";
}
