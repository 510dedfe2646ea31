import type { Tab } from "../tab.ts";

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
