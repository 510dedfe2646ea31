import type { ContentKind } from "#contract/capture.ts";

const byType: [RegExp, ContentKind][] = [
  [/^(text\/html|application\/xhtml\+xml)$/, "html"],
  [/^image\//, "image"],
  [/^application\/(x-)?pdf$/, "pdf"],
  [/^(application|text)\/(x-)?(java|ecma)script$/, "javascript"],
  [/[/+](json|x-ndjson|geojson)$/, "json"],
  [/[/+]xml$/, "xml"],
  [/^text\//, "text"],
];
const byMagic: [string, ContentKind][] = [
  ["%PDF-", "pdf"],
  ["\x89PNG\r\n", "image"],
  ["\xff\xd8\xff", "image"],
  ["GIF8", "image"],
];

/** What a body is: by its content type, and by its first bytes where the type says nothing. */
export function kindOfBody(contentType: string, body: Uint8Array): ContentKind {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const known = byType.find(([pattern]) => pattern.test(type));
  if (known) return known[1];
  const start = Buffer.from(body.subarray(0, 1_024));
  const magic = byMagic.find(([bytes]) => start.toString("latin1").startsWith(bytes));
  if (magic) return magic[1];
  if (!isText(start)) return "other";
  return /^\s*<(!doctype html|html)[\s>]/i.test(start.toString()) ? "html" : "text";
}

// oxlint-disable-next-line no-control-regex -- control characters are what tells binary from text
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

function isText(start: Buffer): boolean {
  return !binary.test(start.toString("latin1"));
}

/** The body as text, by its byte order mark, else the declared character set, else UTF-8. */
export function decodeText(contentType: string, body: Uint8Array): string {
  const declared = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  const mark =
    body[0] === 0xff && body[1] === 0xfe
      ? "utf-16le"
      : body[0] === 0xfe && body[1] === 0xff
        ? "utf-16be"
        : null;
  try {
    return new TextDecoder(mark ?? declared).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
