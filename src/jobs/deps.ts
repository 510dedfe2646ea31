import type { CaptureFailure, Snapshot } from "#contract/capture.ts";
import type { Verdict } from "#detection/verdict.ts";
import type { Queue } from "#queue/queue.ts";
import type { BlobStore } from "#storage/blobs.ts";
import type { Database } from "#storage/database.ts";
import type { HostSlots } from "#storage/host-slots.ts";
import type { SecretBox } from "#storage/secret-box.ts";

export type Actor = { accountId: string };

/** What the verbs of a signed-in user need. */
export type Deps = {
  db: Database;
  queue: Queue;
  secrets: SecretBox;
  blobs: BlobStore;
  detector: Detector;
  /** Why an address may not be requested, in words; null when it may. */
  refuseTarget: (url: string) => Promise<string | null>;
  /** Why headers may not be sent, in words; null when they may. */
  refuseHeaders: (headers: Header[]) => string | null;
};

export type Header = [name: string, value: string];

/** What one execution needs besides. */
export type ExecuteDeps = Pick<Deps, "db" | "queue" | "secrets" | "blobs" | "detector"> & {
  capture: (request: CaptureRequest) => Promise<CaptureResult>;
  slots: HostSlots;
  /** How long after a change the second look is taken. */
  confirmAfterMs: number;
};

export type CaptureRequest = {
  url: string;
  headers: Header[];
  selector: string | null;
  ignore: string[];
  /** What the last capture of this job gave as evidence. */
  previous: unknown;
};

export type CaptureResult =
  | { ok: true; unchanged: false; snapshot: Snapshot; evidence: unknown }
  /** By HTTP alone: the body is that of the last snapshot, which therefore still stands. */
  | { ok: true; unchanged: true; seen: Pick<Snapshot, "status" | "headers">; evidence: unknown }
  | { ok: false; failure: CaptureFailure; snapshot: Snapshot | null };

export type Image = { width: number; height: number; channels: 3 | 4; data: Uint8Array };

/** Detection, where it may take its time: outside the thread that answers calls. */
export type Detector = {
  /** `pictures` is null when there is nothing to compare, "same" when they are known to be equal. */
  compare(input: {
    before: Snapshot;
    after: Snapshot;
    memory: unknown;
    ignore: string[];
    pictures: { before: Image; after: Image } | "same" | null;
  }): Promise<{ verdict: Verdict; memory: unknown }>;
  /** Learns from two captures taken seconds apart: what differs between them is noise. */
  learnTwin(first: Snapshot, second: Snapshot, memory: unknown): Promise<unknown>;
};
