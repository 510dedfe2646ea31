import type { CaptureRequest, CaptureResult } from "#capture/capture-page.ts";
import type { Snapshot } from "#contract/capture.ts";
import type { Stages } from "#contract/job.ts";
import type { Image } from "#detection/compare-image.ts";
import type { RowDelta } from "#detection/diff-rows.ts";
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
  /** Hears where the time of a check went. */
  observe?: (stages: Stages) => void;
};

/** Detection, where it may take its time: outside the thread that answers calls. */
export type Detector = {
  /** `pictures` is null when there is nothing to compare, "same" when they are known to be equal. */
  compare(input: {
    before: Snapshot;
    after: Snapshot;
    memory: NoiseMemory | null;
    pictures: Pictures;
  }): Promise<{ verdict: Verdict; memory: NoiseMemory }>;
  /** Learns from two captures taken seconds apart: what differs between them is noise. */
  learnTwin(input: {
    first: Snapshot;
    second: Snapshot;
    memory: NoiseMemory | null;
    pictures: Pictures;
  }): Promise<NoiseMemory>;
  /** Cuts what the patterns match out of an HTML; undefined when they take too long. */
  strip(input: { html: string; patterns: string[] }): Promise<string | undefined>;
  /** Says how a picture's rows can be had from those of another. */
  diffRows(input: { base: Uint8Array; next: Uint8Array; stride: number }): Promise<RowDelta>;
};

export type Pictures = { before: Image; after: Image } | "same" | null;
