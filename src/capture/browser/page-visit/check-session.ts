import { sketchText } from "../../bot-walls/text-sketch.ts";
import type { SessionRequest, SessionResult } from "../../session-jar.ts";
import { type TakenStep, takePicture } from "../page-steps/run-page-steps.ts";
import type { StepPage } from "../page-steps/step-page.ts";
import { captchaAdvice, describeProof, judgeSignedOut, toBlocks } from "../session/judge-signed-out.ts";
import { readPageScript, type Tab } from "../tab.ts";
import type { VisitLimits, VisitRequest } from "./visit-request.ts";

const isSignedIn = readPageScript("is-signed-in");

type Seen = { proven: boolean; asksForPassword: boolean; hasCaptcha: boolean; lines: string[] };
type Shown = {
  page: StepPage;
  /** The status that the page came with. */
  status: number;
  /** How long the proof may be waited for at most. */
  mostMs: number;
};

/** Looks whether the pages of a visit are shown to somebody who is signed in. */
export class SessionCheck {
  readonly #tab: Tab;
  readonly #request: VisitRequest;
  readonly #limits: VisitLimits;
  readonly result: SessionResult = {};
  /** What the page showed where signing in began. */
  #signInLines: string[] = [];
  #signInPage: { url: string; document: string | undefined } | undefined;

  constructor(tab: Tab, request: VisitRequest, limits: VisitLimits) {
    this.#tab = tab;
    this.#request = request;
    this.#limits = limits;
  }

  async readSignInPage(world: number, page: StepPage): Promise<void> {
    this.#signInPage = { url: page.url(), document: page.documentId() };
    this.#signInLines = (await this.#lookForProof(world, {}, 0)).lines;
  }

  async captchaAdvice(): Promise<string> {
    if (!this.#request.session?.isSignIn) return "";
    const { hasCaptcha } = await this.#lookForProof(await this.#tab.openIsolatedWorld(), {}, 0);
    return hasCaptcha ? ` ${captchaAdvice}` : "";
  }

  /** The look for the proof as a step, whose error says why nobody is signed in; null if there is nothing to say. */
  async look(world: number, { page, status, mostMs }: Shown): Promise<TakenStep | null> {
    const { session, url } = this.#request;
    if (!session?.proof) return null;
    const began = performance.now();
    const seen = await this.#awaitProof(world, session, { page, status, mostMs });
    if (seen.proven && !session.isSignIn) return null;
    const { cookies } = await this.#tab.ask("Storage.getCookies", { browserContextId: this.#tab.contextId });
    const signedOut = seen.proven
      ? null
      : judgeSignedOut(session, {
          status,
          asked: url,
          url: page.url(),
          ...seen,
          cookies: new Set(cookies.map(({ name }) => name)),
        });
    // What all pages of the site show says nothing about a sign-in.
    const onlyThere = this.#signInLines.filter((line) => !seen.lines.includes(line));
    this.result.signInSketch = sketchText(toBlocks(onlyThere));
    if (signedOut) this.result.signedOut = signedOut;
    return {
      type: "proof",
      text: describeProof(session.proof),
      ms: Math.round(performance.now() - began),
      url: page.url(),
      selector: session.proof.selector ?? null,
      note: null,
      error: signedOut?.reason ?? null,
      picture: await takePicture(page, this.#request.pageSteps?.secrets ?? new Map()),
    };
  }

  async #awaitProof(world: number, session: SessionRequest, { page, status, mostMs }: Shown): Promise<Seen> {
    const { firstProofMs, proofMs, signInProofMs } = this.#limits;
    const isRefused = status === 401 || status === 403;
    const patienceMs = isRefused ? firstProofMs : session.isSignIn ? signInProofMs : proofMs;
    const waitMs = Math.min(mostMs, patienceMs);
    const proof = session.proof ?? {};
    const seen = await this.#lookForProof(world, proof, Math.min(firstProofMs, waitMs));
    // A form that the page led to shows what it is, and so does the same form once more; anything else may still be
    // loading.
    const isForm =
      seen.asksForPassword && (session.isSignIn ? this.#isAskedAgain(page) : !isAt(page, this.#request.url));
    if (seen.proven || isForm || waitMs <= firstProofMs) return seen;
    return this.#lookForProof(world, proof, waitMs - firstProofMs);
  }

  /** Whether the steps led to the page where signing in began, as a new document. */
  #isAskedAgain(page: StepPage): boolean {
    const began = this.#signInPage;
    return began !== undefined && isAt(page, began.url) && page.documentId() !== began.document;
  }

  #lookForProof(world: number, proof: NonNullable<SessionRequest["proof"]>, waitMs: number) {
    return this.#tab.run<Seen>(world, isSignedIn, { ...proof, waitMs }, waitMs + 2_000);
  }
}

const isAt = (page: StepPage, url: string) => withoutQuery(page.url()) === withoutQuery(url);

export const withoutQuery = (url: string) => url.replace(/[?#].*$/s, "");
