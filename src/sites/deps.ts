import type { CaptureRequest, CaptureResult } from "#capture/capture-page.ts";
import type { Reader } from "#capture/reader.ts";
import type { ScopeTarget } from "#detection/bug-bounty-scope/list-targets.ts";
import type { HostSlots } from "#host-limits/host-slots.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";

/** What crawling a site needs. */
export type CrawlDeps = {
  db: Database;
  queue: Queue;
  secrets: SecretBox;
  http: GuardedFetch;
  /** Reads what sites send, in threads; accounts take turns. */
  readerFor: (accountId: string) => Pick<Reader, "decode" | "sitePage" | "siteList">;
  /** Captures a page in a browser, where its HTML alone says nothing. */
  capture: (request: CaptureRequest, moments?: undefined, accountId?: string) => Promise<CaptureResult>;
  slots: HostSlots;
  /** The links on the newest captures that an account has of these hosts. */
  listCapturedLinks: (accountId: string, isWanted: (url: string) => boolean) => Promise<string[]>;
  /** The hosts that a job's newest capture of a scope list names; null if there is no such job or capture. */
  listScope: (accountId: string, jobId: string) => Promise<ScopeTarget[] | null>;
  /** Who we are, for those whose sites we request. */
  userAgent: string;
  /** The most requests per second that the operator allows to one host. */
  maxPerSecond: number;
  /** The time between two requests to a host, for tests that can't wait. */
  gapMs?: number;
  /** How long one task crawls before the next site's turn. */
  sliceMs: number;
};
