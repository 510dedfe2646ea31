import type { PageStep, StepRun } from "#contract/page-steps.ts";
import { describeStep } from "#page-steps/describe-step.ts";
import { CdpError } from "../devtools-protocol/cdp-error.ts";
import { readPageScript } from "../tab.ts";
import { Keyboard } from "./press-keys.ts";
import { runStep } from "./run-step.ts";
import { StepFailure, type StepPage, type StepsRequest } from "./step-page.ts";

/** What a step did, with the picture of the page after it. */
export type TakenStep = Omit<StepRun, "hasPicture"> & { picture: Uint8Array | null };

const limits = { opensMs: 3_000, startMs: 60, leastSecret: 4 };
const coverSecrets = readPageScript("cover-secrets");

/** Does the steps until one fails. Each is added to `taken` with its time, URL, selector and picture. */
export async function runPageSteps(
  page: StepPage,
  { steps, secrets, takeCode, origins }: StepsRequest,
  { allMs, oneMs, taken }: { allMs: number; oneMs: number; taken: TakenStep[] },
): Promise<void> {
  const end = performance.now() + allMs;
  const keyboard = new Keyboard(page.tab);
  // A page that isn't in front gets no focus, and so no keys.
  await page.tab.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  for (const step of steps) {
    const began = performance.now();
    const left = end - began;
    const ms = Math.min(oneMs, left);
    const before = { url: page.url(), document: page.documentId() };
    const run = { type: step.type, text: describeStep(step), selector: null, note: null } as const;
    const done =
      left <= 0
        ? { error: `The steps took longer than ${Math.round(allMs / 1000)} s.` }
        : await orFailure(async () => {
            const element = await runStep({ page, keyboard, secrets, takeCode, origins, ms }, step);
            await afterStep(page, step, before);
            const reason = page.endReason();
            if (reason) throw new StepFailure(reason);
            return { selector: element?.selector ?? null, note: element?.note ?? null, error: null };
          });
    const picture = await takePicture(page, secrets);
    taken.push({ ...run, ...done, ms: Math.round(performance.now() - began), url: page.url(), picture });
    if (done.error !== null) return;
  }
}

async function orFailure<T>(work: () => Promise<T>): Promise<T | { error: string }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StepFailure) return { error: error.message };
    if (error instanceof CdpError && error.kind !== "gone")
      return { error: "The page didn’t react as expected: it may have moved on during the step." };
    throw error;
  }
}

/** Waits for the page that the step may open. What it changes otherwise is waited for by the next step. */
async function afterStep(
  page: StepPage,
  step: PageStep,
  before: { url: string; document: string | undefined },
) {
  const hasMoved = () => page.url() !== before.url || page.documentId() !== before.document;
  const opens = "assertedEvents" in step && step.assertedEvents?.length === 1;
  await page.until(hasMoved, opens ? limits.opensMs : limits.startMs, 20);
  if (page.documentId() !== before.document) await page.untilLoaded();
}

/** A picture of what is shown, in which no secret can be read; null if the page can't be drawn. */
export async function takePicture(
  { tab }: StepPage,
  secrets: ReadonlyMap<string, string>,
): Promise<Uint8Array | null> {
  const values = [...secrets.values()].filter((value) => value.length >= limits.leastSecret);
  try {
    const worlds = await openWorlds(tab);
    const cover = (shows: boolean) =>
      Promise.all(worlds.map((world) => tab.run(world, coverSecrets, { values, shows })));
    await cover(false);
    try {
      const options = { format: "jpeg", quality: 55, optimizeForSpeed: true } as const;
      const { data } = await tab.send("Page.captureScreenshot", options);
      // Its memory belongs to the message of the pipe.
      return Uint8Array.from(data);
    } finally {
      await cover(true).catch(() => undefined);
    }
  } catch (error) {
    if (error instanceof CdpError && error.kind !== "gone") return null;
    throw error;
  }
}

const maxFrames = 20;

async function openWorlds(tab: StepPage["tab"]): Promise<number[]> {
  type Tree = { frame: { id: string }; childFrames?: Tree[] };
  const idsOf = ({ frame, childFrames = [] }: Tree): string[] => [frame.id, ...childFrames.flatMap(idsOf)];
  const { frameTree } = await tab.send("Page.getFrameTree");
  const [main = "", ...others] = idsOf(frameTree).slice(0, maxFrames);
  const rest = await Promise.all(others.map((id) => tab.openIsolatedWorld(id).catch(() => null)));
  return [await tab.openIsolatedWorld(main), ...rest.filter((world) => world !== null)];
}

/** Names the step that failed, by its number and in words. */
export function describeFailedStep(steps: readonly Pick<TakenStep, "text" | "error">[]): string {
  const at = steps.findIndex(({ error }) => error !== null);
  return `Step ${at + 1} failed (${steps[at]?.text}): ${steps[at]?.error}`;
}
