import type { CaptureRequest, CaptureResult } from "#capture/capture-page.ts";
import type { Reader } from "#capture/reader.ts";
import type { Snapshot } from "#contract/capture.ts";
import type { Image } from "#detection/compare-image.ts";
import type { RowDelta } from "#detection/diff-rows.ts";
import type { LookupMatch, LookupRule, Source } from "#detection/lookup.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { Verdict } from "#detection/verdict.ts";
import type { Queue } from "#queue/queue.ts";
import type { BlobStore } from "#storage/blobs.ts";
import type { Database } from "#storage/database.ts";
import type { HostSlots } from "#storage/host-slots.ts";
import type { SecretBox } from "#storage/secret-box.ts";

/** What the verbs around a check need. */
export type Deps = {
  db: Database;
  queue: Queue;
  secrets: SecretBox;
  blobs: BlobStore;
  detector: Detector;
};

/** What one execution needs besides. */
export type ExecuteDeps = Deps & {
  capture: (request: CaptureRequest) => Promise<CaptureResult>;
  slots: HostSlots;
  /** How long after a change the second look is taken. */
  confirmAfterMs: number;
};

/** Detection, where it may take its time: outside the thread that answers calls. */
export type Detector = Reader & {
  /** `pictures` is null when there is nothing to compare, "same" when they are known to be equal. */
  compare(
    input: {
      before: Snapshot;
      after: Snapshot;
      memory: NoiseMemory | null;
      pictures: Pictures;
      /** Ends it before its time. */
    },
    signal?: AbortSignal,
  ): Promise<{ verdict: Verdict; memory: NoiseMemory }>;
  /** Learns from two captures taken seconds apart: what differs between them is noise. */
  learnTwin(input: {
    first: Snapshot;
    second: Snapshot;
    memory: NoiseMemory | null;
    pictures: Pictures;
  }): Promise<NoiseMemory>;
  /** Cuts what the patterns match out of an HTML; undefined when they take too long. */
  strip(input: { html: string; patterns: string[] }): Promise<string | undefined>;
  /** The strings that came (or went); undefined when the search takes too long. */
  findLookups(input: { before: Source; after: Source; rule: LookupRule }): Promise<LookupMatch[] | undefined>;
  /** Whether one of the strings stands in a capture; undefined when the search takes too long. */
  holdsOneOf(input: { source: Source; strings: string[] }): Promise<boolean | undefined>;
  /** Says how a picture's rows can be had from those of another. */
  diffRows(input: { base: Uint8Array; next: Uint8Array; stride: number }): Promise<RowDelta>;
};

export type Pictures = { before: Image; after: Image } | "same" | null;
