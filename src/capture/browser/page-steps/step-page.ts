import type { PageStep } from "#contract/page-steps.ts";
import type { Tab } from "../tab.ts";

export type StepsRequest = {
  steps: PageStep[];
  secrets: ReadonlyMap<string, string>;
  /** The only origins whose pages secrets are typed into; without it, they are typed wherever a step leads. */
  origins?: readonly string[];
  /** A one-time code of this key that was never typed before; null if it is no such key. */
  takeCode?: (key: string) => Promise<string | null>;
};

/** The page that steps run on, as its visit sees it. */
export type StepPage = {
  tab: Tab;
  url: () => string;
  /** Changes with each document that the page opens. */
  documentId: () => string | undefined;
  /** Why no step can run any more, as a sentence; null while they can. */
  endReason: () => string | null;
  /** Waits for the condition or the end of the visit. */
  until: (condition: () => boolean, ms: number, everyMs?: number) => Promise<void>;
  /** Waits until a document that is being opened has loaded. */
  untilLoaded: () => Promise<void>;
  setViewport: (size: { width: number; height: number }) => void;
};

/** A step that can't be done; the message is a sentence for the user. */
export class StepFailure extends Error {}
