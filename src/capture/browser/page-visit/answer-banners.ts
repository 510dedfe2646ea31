import { defaultBrowser } from "#contract/browser-settings.ts";
import { answerConsent, type ConsentOutcome } from "../../consent-banners/answer-consent.ts";
import type { Tab } from "../tab.ts";
import { withoutQuery } from "./check-session.ts";
import type { VisitLimits, VisitRequest } from "./visit-request.ts";

/** Answers the consent banners of a visit as the job wants. */
export class BannerAnswers {
  readonly #tab: Tab;
  readonly #request: VisitRequest;
  readonly #limits: VisitLimits;
  #answers = 0;
  /** The page on which a banner may be answered. */
  #url: string | null = null;
  #hasGoneBack = false;
  outcome: ConsentOutcome | null = null;

  constructor(tab: Tab, request: VisitRequest, limits: VisitLimits) {
    this.#tab = tab;
    this.#request = request;
    this.#limits = limits;
  }

  /** Answers the banner of the page at `url`; returns whether there was one. */
  async answer(world: number, url: string, remainingMs: number): Promise<boolean> {
    const wanted = this.#request.browser?.consent ?? defaultBrowser.consent;
    if (wanted === "leave") return false;
    const answer = this.#answers < this.#limits.consentAnswers ? wanted : "hide";
    const budgetMs = Math.min(this.#limits.consentMs, remainingMs / 3);
    const onMention = () => {
      this.#url = url;
    };
    const outcome = await answerConsent(this.#tab, world, { answer, url, budgetMs, onMention });
    if (!outcome) this.#url = null;
    if (!outcome) return false;
    this.#answers += 1;
    this.outcome = outcome;
    return true;
  }

  /** Returns to the page if an answer to its banner led elsewhere; from then on banners are only hidden. */
  async goBack(at: string): Promise<boolean> {
    const url = this.#url;
    if (url === null || this.#hasGoneBack || withoutQuery(url) === withoutQuery(at)) return false;
    this.#hasGoneBack = true;
    this.#answers = this.#limits.consentAnswers;
    await this.#tab.send("Page.navigate", { url });
    return true;
  }

  /** What steps open isn't gone back from. */
  forgetPage(): void {
    this.#url = null;
  }
}
