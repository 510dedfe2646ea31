import type { Snapshot } from "#contract/capture.ts";
import { CdpError } from "../browser/devtools-protocol/cdp-error.ts";
import type { Protocol } from "../browser/devtools-protocol/protocol.ts";
import { readPageScript, type Tab } from "../browser/tab.ts";
import {
  type ConsentAnswer,
  type ConsentLibrary,
  consentRulesVersion,
  openConsentLibrary,
} from "./consent-library.ts";

export type ConsentOutcome = NonNullable<Snapshot["consent"]>;

type Step =
  | { kind: "ask"; id: string; snippet: string }
  | {
      kind: "done";
      outcome:
        | (Omit<ConsentOutcome, "version" | "result"> & {
            result: "done" | "failed" | "continues";
            clicks: string[];
          })
        | null;
    };
type FrameTree = Protocol.Page.FrameTree;

const scripts = {
  findConsentSigns: readPageScript("find-consent-signs"),
  answerConsent: readPageScript("answer-consent"),
};
const nextStep = "(reply) => nextConsentStep(reply)";
const maxFrames = 5;
/** Questions that a rule may put to the page's own scripts. */
const maxQuestions = 40;
const consentFrame =
  /consent|(?<!no-?)cookie|privacy|cmp|message_id=|trustarc|truste|usercentrics|clym|cookielaw|sp-prod|sourcepoint/i;

/** Answers the consent banner of a loaded page; null if there is none. The page stays as it was otherwise. */
export async function answerConsent(
  tab: Tab,
  world: number,
  {
    answer,
    url,
    budgetMs,
    onMention,
  }: { answer: ConsentAnswer; url: string; budgetMs: number; onMention: () => void },
): Promise<ConsentOutcome | null> {
  const library = await openConsentLibrary();
  if (!(await mayShowBanner(tab, world, library, url))) return null;
  onMention();
  const end = performance.now() + budgetMs;
  const answerIn = (context: number, at: string, isTop: boolean, how = answer) =>
    answerInFrame(tab, context, library, {
      answer: how,
      url: at,
      isTop,
      budgetMs: Math.max(500, end - performance.now()),
    });
  const seen = await answerIn(world, url, true);
  if (seen && seen.result === "done" && seen.action !== "hide") return finish(seen);
  // Some makers show their banner, or its second step, in a frame.
  if (answer !== "hide") {
    const { frameTree } = await tab.send("Page.getFrameTree");
    for (const { id, url: at } of consentFrames(frameTree).slice(0, maxFrames)) {
      if (performance.now() > end) break;
      const frameSeen = await openFrame(tab, id, (context) => answerIn(context, at, false));
      if (!frameSeen || frameSeen.result !== "done" || frameSeen.action === "hide") continue;
      return finish(frameSeen);
    }
  }
  if (!seen) return null;
  if (seen.result !== "continues") return finish(seen);
  const hidden = await answerIn(await tab.openIsolatedWorld(), url, true, "hide");
  return finish(hidden ?? { ...seen, result: "done" });
}

/** Whether it is worth putting the library into the page; most pages that speak of cookies have no banner. */
async function mayShowBanner(
  tab: Tab,
  world: number,
  library: ConsentLibrary,
  url: string,
): Promise<boolean> {
  type Signs = { speaksOfConsent: boolean; isFound: boolean; hasFrames: boolean };
  const { selectors, questions } = library.signsFor(url);
  const signs = await tab.run<Signs>(world, scripts.findConsentSigns, { selectors });
  if (!signs.speaksOfConsent || signs.isFound) return signs.speaksOfConsent;
  if (signs.hasFrames) {
    const { frameTree } = await tab.send("Page.getFrameTree");
    if (consentFrames(frameTree).length > 0) return true;
  }
  return askPage(tab, `[${questions.join()}].some((ask) => { try { return ask() } catch { return false } })`);
}

const finish = ({
  rule,
  action,
  result,
  text,
}: NonNullable<Extract<Step, { kind: "done" }>["outcome"]>): ConsentOutcome => ({
  rule,
  action,
  result: result === "continues" ? "done" : result,
  text,
  version: consentRulesVersion,
});

/** A frame that is removed while it is answered has answered. */
async function openFrame<T>(tab: Tab, id: string, use: (context: number) => Promise<T>): Promise<T | null> {
  try {
    return await use(await tab.openIsolatedWorld(id));
  } catch (error) {
    if (error instanceof CdpError && error.kind !== "gone") return null;
    throw error;
  }
}

function consentFrames({ childFrames = [] }: FrameTree): { id: string; url: string }[] {
  return childFrames.flatMap((child) => [
    ...(consentFrame.test(child.frame.url) ? [{ id: child.frame.id, url: child.frame.url }] : []),
    ...consentFrames(child),
  ]);
}

async function answerInFrame(
  tab: Tab,
  context: number,
  library: ConsentLibrary,
  { url, ...how }: { answer: ConsentAnswer; url: string; isTop: boolean; budgetMs: number },
) {
  const end = performance.now() + how.budgetMs;
  const rules = library.rulesFor(url, how.isTop, how.answer);
  await tab.run(context, library.source, {});
  await tab.run(context, scripts.answerConsent, { ...how, rules });
  let reply: { id: string; result: boolean } | null = null;
  for (let questions = 0; questions <= maxQuestions; questions++) {
    const step: Step = await tab.run<Step>(context, nextStep, { reply });
    if (step.kind === "done") return step.outcome;
    // A page may take its second for each answer.
    const mayAsk = how.isTop && performance.now() < end;
    const question: string | undefined = mayAsk ? library.snippet(step.snippet) : undefined;
    reply = { id: step.id, result: question !== undefined && (await askPage(tab, `(${question})()`)) };
  }
  return null;
}

/** Only the library's own questions are put to the page, never text that came out of it; the answer is yes or no. */
async function askPage(tab: Tab, question: string): Promise<boolean> {
  try {
    const { result } = await tab.send("Runtime.evaluate", {
      expression: `Boolean(${question})`,
      returnByValue: true,
      timeout: 1_000,
    });
    return result.value === true;
  } catch (error) {
    // The page's answer never came, and the browser ended it.
    if (error instanceof CdpError && error.kind === "ended") return false;
    throw error;
  }
}
