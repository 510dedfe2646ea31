import type { CaptureRequest, CaptureResult, Moments } from "#capture/capture-page.ts";
import type { Reader } from "#capture/reader.ts";
import type { Snapshot } from "#contract/capture.ts";
import type { Stages } from "#contract/job.ts";
import type { View } from "#detection/apply-rules.ts";
import type { Asked, Meant } from "#detection/call-noise.ts";
import type { coverRules } from "#detection/cover-rules.ts";
import type { Follow, Values } from "#detection/follow.ts";
import type { Source } from "#detection/lookup.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { pickElement, Shown } from "#detection/pick-element.ts";
import type { Rules } from "#detection/rules.ts";
import type { Queue } from "#queue/queue.ts";
import type { BlobStore } from "#storage/blobs.ts";
import type { Database } from "#storage/database.ts";
import type { HostSlots } from "#storage/host-slots.ts";
import type { SecretBox } from "#storage/secret-box.ts";
import type { AllRules } from "./apply-all-rules.ts";
import type { Compared, CompareInput, Pictures } from "./compare-views.ts";
import type { KeptBytes, KeptView } from "./kept-view.ts";
import type { ReplayInput, ReplayOutput, SeenCapture, ViewInput } from "./replay-captures.ts";

/** What the verbs around a check need. */
export type Deps = {
  db: Database;
  queue: Queue;
  secrets: SecretBox;
  blobs: BlobStore;
  detector: SharedDetector;
};

/** Detection that accounts take turns at, so that nobody waits behind what another has waiting. */
export type SharedDetector = { for(accountId: string): Detector };

/** What one execution needs besides. */
export type ExecuteDeps = Deps & {
  capture: (request: CaptureRequest, moments?: Moments, accountId?: string) => Promise<CaptureResult>;
  slots: HostSlots;
  /** How long after a change the second look is taken. */
  confirmAfterMs: number;
  /** Hears of each check what came of it, how it was made and where its time went. */
  observe?: (check: {
    stages: Stages;
    result: "unchanged" | "changed" | "failed";
    way: "browser" | "http" | "none";
  }) => void;
};

/**
 * Detection, where it may take its time: outside the thread that answers calls. What applies a user's rules rejects with
 * a RuleFailure where they exceed their budget, what takes too much otherwise with a TookTooMuch unless it says else.
 */
export type Detector = Reader & {
  compare(
    input: CompareInput,
    /** Ends it before its time. */
    signal?: AbortSignal,
  ): Promise<Compared>;
  /** Shows kept captures through rules that may be others than their job's. */
  viewAll(input: ViewInput, signal?: AbortSignal): Promise<SeenCapture[]>;
  /** Says again what checks of the past found, by settings that may be others. */
  replay(input: ReplayInput, signal?: AbortSignal): Promise<ReplayOutput>;
  /** Learns from two captures taken seconds apart: what differs between them is noise. */
  learnTwin(input: {
    first: View | KeptView;
    second: View | KeptView;
    memory: NoiseMemory | null;
    pictures: Pictures;
    /** When that was. */
    at: string;
  }): Promise<NoiseMemory>;
  /** How much of a capture each rule covers; undefined when they take too long. */
  cover(input: { snapshot: Snapshot; rules: Rules }): Promise<ReturnType<typeof coverRules> | undefined>;
  /** Where a page's elements stand on its picture. */
  elements(input: Snapshot): Promise<Shown[] | null>;
  /** A selector for one of them; undefined when it takes too long. */
  pick(input: { snapshot: Snapshot; at: number }): Promise<ReturnType<typeof pickElement> | undefined>;
  /** Finds differences by their names, or all that are told where `ids` is null. */
  findMeant(
    input: Asked & {
      first: View;
      second: View;
      memory: NoiseMemory | null;
      pictures: Pictures;
      ids: string[] | null;
    },
  ): Promise<Meant>;
  /** Shows a capture through its job's rules. */
  view(input: { snapshot: Snapshot; rules: Rules }): Promise<View>;
  /** Reads the followed values off a capture and what its job's rules show of it. */
  values(input: { follow: Follow[]; snapshot: Snapshot; view: View }): Promise<Values>;
  /** Applies every rule of a job to a capture of it, as a check would. */
  applyAll(input: AllRules & { capture: KeptBytes }): Promise<void>;
  /** Whether one of the strings stands in a capture; undefined when the search takes too long. */
  holdsOneOf(input: { source: Source; strings: string[] }): Promise<boolean | undefined>;
};
