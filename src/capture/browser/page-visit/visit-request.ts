import type { BrowserSettings } from "#contract/browser-settings.ts";
import type { CaptureFailure } from "#contract/capture.ts";
import type { RequestMethod } from "#contract/request-method.ts";
import type { AdHosts } from "../../ad-hosts.ts";
import type { ConsentOutcome } from "../../consent-banners/answer-consent.ts";
import type { SessionRequest, SessionResult } from "../../session-jar.ts";
import type { TakenStep } from "../page-steps/run-page-steps.ts";
import type { StepsRequest } from "../page-steps/step-page.ts";
import type { NetworkLog } from "./network-log.ts";
import type { PageParts } from "./read-page.ts";

export type VisitRequest = {
  url: string;
  /** The user's own headers, sent only to the URL's origin (E9). */
  headers: [name: string, value: string][];
  ask?: Ask | undefined;
  waitFor?: WaitFor | undefined;
  /** What is done on the page before it is captured. */
  pageSteps?: StepsRequest | null | undefined;
  /** The session in which the page is opened. */
  session?: SessionRequest | null | undefined;
  browser?: BrowserSettings | null;
  /** The hosts of ads, for jobs that don't load them. */
  adHosts?: AdHosts | undefined;
  /** Called when the page has settled: from then on it is only read and drawn. */
  onSettled?: (() => void) | undefined;
};

/** Headers that identify the visitor, and what is sent with the first request. */
export type Ask = {
  method: RequestMethod;
  headers: [name: string, value: string][];
  body?: string;
  contentType?: string;
};

/** What to wait for before a page is captured, none of it longer than 15 s. */
export type WaitFor = {
  /** Until an element matches and is shown. */
  selector?: string;
  /** Until the page shows these words. */
  text?: string;
  /** Until the page has made no request for a second. */
  quiet?: boolean;
  seconds?: number;
};

export type Page = PageParts & {
  log: NetworkLog;
  /** What happened to the consent banner; null if there was none, or if it was to be left. */
  consent: ConsentOutcome | null;
  timing: { load: number; ready: number; picture: number };
};

/** `steps`: what was done on the page, up to the step that failed. */
export type Visit = VisitOutcome & { steps?: TakenStep[]; session?: SessionResult | undefined };

type VisitOutcome =
  | { outcome: "page"; page: Page; at?: string }
  /**
   * Not a page: a file, a download, an empty answer. Plain HTTP captures it better. `isAborted`: the navigation ended
   * without a word about why, as it does for a download, and if a process of the browser is killed.
   */
  | { outcome: "not-html"; isAborted?: boolean; at?: string }
  /** `at`: the URL at which it failed, after redirects. */
  | { outcome: "failed"; failure: CaptureFailure; at?: string };

/** The time that all steps before a capture may take together. */
export const stepsMs = 60_000;
/** The time that a session may take in addition: putting it into the browser, proving it and reading it. */
export const sessionMs = 20_000;

export const usualLimits = {
  // Pages of 15 MB exist and are watched; comparing two of them takes some seconds and less than 1 GB of memory.
  html: 16 * 1024 * 1024,
  redirects: 10,
  answerMs: 30_000,
  loadMs: 10_000,
  // Requests made at the end of loading may take five seconds.
  quietMs: 6_000,
  waitForMs: 15_000,
  rounds: 3,
  imagesMs: 5_000,
  settleMs: 10_000,
  totalMs: 50_000,
  stepsMs,
  stepMs: 15_000,
  firstProofMs: 1_000,
  proofMs: 5_000,
  signInProofMs: 8_000,
  consentMs: 8_000,
  // Some sites load the page again once they have an answer.
  consentAnswers: 2,
  console: 50,
  events: 30_000,
};

export type VisitLimits = typeof usualLimits;
