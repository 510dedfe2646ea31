import type { CaptureCallbacks, CaptureRequest, CaptureResult } from "#capture/capture-page.ts";
import type { Reader } from "#capture/reader.ts";
import type { Snapshot } from "#contract/capture.ts";
import type { Stages } from "#contract/job.ts";
import type { Follow, Values } from "#detection/followed-values/followed-values.ts";
import { type NoiseMemory } from "#detection/noise-memory/noise-memory.ts";
import type { Asked, FeedbackTargets } from "#detection/noise-memory/record-noise-feedback.ts";
import type { View } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import type { pickElement, Shown } from "#detection/selectors-and-ignore-rules/pick-element.ts";
import type { Rules } from "#detection/selectors-and-ignore-rules/rules.ts";
import type { Source } from "#detection/text-lookup/lookup.ts";
import type { HostSlots } from "#host-limits/host-slots.ts";
import type { Queue } from "#queue/queue.ts";
import type { BlobStore } from "#storage/blobs.ts";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
import type { AllRules } from "./apply-all-rules.ts";
import type { Compared, CompareInput, Pictures } from "./compare-views.ts";
import type { CaptureCoverage, CoverageInput } from "./cover-capture.ts";
import type { FilteredCapture, ReplayInput, ReplayOutput, ViewInput } from "./replay-captures.ts";
import type { StoredCapture, StoredView } from "./stored-capture.ts";
import type { CaptureTexts, CaptureTextsInput } from "./write-capture-texts.ts";

/** What the functions of this room need. */
export type Deps = {
  db: Database;
  queue: Queue;
  secrets: SecretBox;
  blobs: BlobStore;
  detector: SharedDetector;
};

/** Detection that serves accounts in turn, so that no account waits behind another's queue. */
export type SharedDetector = { for(accountId: string): Detector };

/** What an execution needs in addition. */
export type ExecuteDeps = Deps & {
  capture: (
    request: CaptureRequest,
    moments?: CaptureCallbacks,
    accountId?: string,
  ) => Promise<CaptureResult>;
  slots: HostSlots;
  /** How long after a first capture its confirmation is captured. */
  confirmAfterMs: number;
  /** Receives the result of each check, how the page was captured, and how long the stages took. */
  observe?: (check: {
    stages: Stages;
    result: "unchanged" | "changed" | "failed";
    way: "browser" | "http" | "none";
  }) => void;
  /** Receives why a check waits for the store for captures. */
  observePostponed?: (reason: Error) => void;
};

/**
 * Detection outside the thread that answers calls, so that it may take its time. A method that applies a user's rules
 * rejects with RuleFailure when they exceed their budget. A method that takes too much time or memory otherwise rejects
 * with TookTooMuch, unless its comment says something else.
 */
export type Detector = Reader & {
  compare(
    input: CompareInput,
    /** Cancels the comparison. */
    signal?: AbortSignal,
  ): Promise<Compared>;
  /** Applies rules to stored captures; the rules may differ from the job's. */
  viewAll(input: ViewInput, signal?: AbortSignal): Promise<FilteredCapture[]>;
  /** Replays past checks; the settings may differ from the job's. */
  replay(input: ReplayInput, signal?: AbortSignal): Promise<ReplayOutput>;
  /** Learns from two captures taken seconds apart: what differs between them is noise. */
  learnFromConfirmation(input: {
    first: View | StoredView;
    second: View | StoredView;
    memory: NoiseMemory | null;
    pictures: Pictures;
    /** When that was, as an ISO date. */
    at: string;
  }): Promise<NoiseMemory>;
  /** How much of a capture each rule covers, and what values read; undefined when the rules take too long. */
  cover(input: CoverageInput): Promise<CaptureCoverage | undefined>;
  /** The locations of a page's elements in its picture. */
  elements(input: Snapshot): Promise<Shown[] | null>;
  /** A selector for one of these elements; undefined when that takes too long. */
  pick(input: { snapshot: Snapshot; at: number }): Promise<ReturnType<typeof pickElement> | undefined>;
  /** Finds differences by their ids, or all alerted ones if `ids` is null. */
  findMeant(
    input: Asked & {
      first: View;
      second: View;
      memory: NoiseMemory | null;
      pictures: Pictures;
      ids: string[] | null;
    },
  ): Promise<FeedbackTargets>;
  /** Applies its job's rules to a capture. */
  view(input: { snapshot: Snapshot; rules: Rules }): Promise<View>;
  /** Reads the followed values from a capture and its filtered view. */
  values(input: { follow: Follow[]; snapshot: Snapshot; view: View }): Promise<Values>;
  /** Applies every rule of a job to one of its captures, as a check would. */
  applyAll(input: AllRules & { capture: StoredCapture }): Promise<void>;
  /** Texts about a change for messages; undefined when that takes too long. */
  writeTexts(input: CaptureTextsInput): Promise<CaptureTexts | undefined>;
  /** Whether a capture contains one of the strings; undefined when the search takes too long. */
  holdsOneOf(input: { source: Source; strings: string[] }): Promise<boolean | undefined>;
};
