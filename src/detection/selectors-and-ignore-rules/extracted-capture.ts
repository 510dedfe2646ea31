import { parseJson } from "../file-formats/json/compare-json.ts";
import { parseXml } from "../file-formats/parse-xml.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import { linesOfFile } from "./file-lines.ts";
import type { View } from "./filtered-capture.ts";

// The same limit that capture has for a file.
export const maxLines = 20_000;

/** The content of a capture of which rules leave nothing, or only text. */
export const emptyContent = {
  html: "",
  body: new Uint8Array(),
  title: "",
  text: [],
  links: [],
  forms: [],
  scripts: [],
  thirdPartyHosts: [],
  images: [],
  rendered: undefined,
  layout: undefined,
  chosen: undefined,
  extracted: true as const,
};

/** A capture of which only some text is left: it has no positions in the picture, links or scripts any more. */
function extracted(snapshot: Snapshot, kind: "text" | "json", html: string, lines: string[]): View {
  const filtered: Snapshot = {
    ...snapshot,
    ...emptyContent,
    kind,
    html,
    body: new TextEncoder().encode(html),
    text: lines
      .slice(0, maxLines)
      .map((text) => ({ role: kind === "text" ? "paragraph" : "code", area: "", text })),
  };
  return { snapshot: filtered, comparedArea: null, isAbsent: false };
}

export function extractedLines(snapshot: Snapshot, lines: string[]): View {
  const kept = lines.slice(0, maxLines);
  return extracted(snapshot, "text", kept.join("\n"), kept);
}

export function extractedJson(snapshot: Snapshot, value: unknown): View {
  const html = JSON.stringify(value, null, 2);
  return extracted(snapshot, "json", html, html.split("\n"));
}

/** The lines of a capture as a reader sees them: blocks of a page, `name: value` in JSON, the text between two tags. */
export function linesOfCapture(snapshot: Snapshot): string[] {
  if (snapshot.kind === "html") return snapshot.text.map(({ text }) => text);
  if (snapshot.kind === "xml") {
    const nodes = parseXml(snapshot.html);
    return nodes.map(({ kind, text }) => (kind === "text" ? foldSpace(text) : "")).filter(Boolean);
  }
  return linesOfFile(snapshot, snapshot.kind === "json" ? parseJson(snapshot.html) : undefined);
}
