import type { ContentKind, Snapshot } from "#contract/capture.ts";
import { contentKind } from "#detection/content-kind.ts";
import { needsScript } from "./evidence.ts";
import { decodeText } from "./http/decode-text.ts";
import { type Before, recognizeWall, type Seen } from "./recognize-wall.ts";

type Bytes = Pick<Snapshot, "contentType" | "body">;
export type Recognized = { wall: string | null; needsScript: boolean };

/** What is asked of captured content. Whoever wrote it chose what the answers cost, so they are found in a thread. */
export type Reader = {
  kindOf(input: Bytes & { url: string }): Promise<ContentKind>;
  decode(input: Bytes): Promise<string>;
  /** Undefined when it takes too long. `sent` is what the text is looked for in; null where nothing depends on it. */
  recognize(input: {
    seen: Seen;
    before: Before | null;
    sent: Bytes | null;
  }): Promise<Recognized | undefined>;
};

/** The same, as plain functions. */
export const read: {
  [Name in keyof Reader]: (input: Parameters<Reader[Name]>[0]) => Awaited<ReturnType<Reader[Name]>>;
} = {
  kindOf: ({ contentType, url, body }) => contentKind(contentType, url, body),
  decode: ({ contentType, body }) => decodeText(contentType, body),
  recognize: ({ seen, before, sent }) => ({
    wall: recognizeWall(seen, before),
    needsScript: sent === null || needsScript(decodeText(sent.contentType, sent.body), seen.text),
  }),
};
