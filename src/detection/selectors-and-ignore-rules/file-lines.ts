import { isRecord, type Value } from "../file-formats/json/signatures.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** The lines of a file that is not a page, as rules see them: `name: value` for JSON, text between two tags for XML. */
export function linesOfFile({ kind, html }: Snapshot, json: Value | undefined): string[] {
  if (json !== undefined) return leavesOf(json, "");
  const pieces = kind === "xml" ? html.split(/<[^<>]*>|\r?\n/) : html.split(/\r?\n/);
  return pieces.filter((line) => line.trim() !== "");
}

function leavesOf(value: Value, key: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, ""));
  if (isRecord(value)) return Object.entries(value).flatMap(([name, item]) => leavesOf(item, name));
  return [key === "" ? String(value) : `${key}: ${value}`];
}
