import type { PageStep } from "#contract/page-steps.ts";
import { containsPattern } from "#detection/site-pages/address-pattern.ts";
import { codesIn, fillCode, fillSecrets, secretsIn } from "#page-steps/password-fields.ts";
import { readPageScript } from "../tab.ts";
import { type FoundElement, findElement, isElementThere } from "./find-element.ts";
import { pointAt } from "./point-at.ts";
import type { Keyboard } from "./press-keys.ts";
import { StepFailure, type StepPage, type StepsRequest } from "./step-page.ts";

const scripts = {
  fillElement: readPageScript("fill-element"),
  closeOverlay: readPageScript("close-overlay"),
};
const scrollTo =
  "({ x, y, isPage }) => (isPage ? window : globalThis[Symbol.for('step-element')]).scrollTo({ left: x ?? 0, top: y ?? 0, behavior: 'instant' })";
const pollMs = 100;
const buttons = { primary: "left", auxiliary: "middle", secondary: "right" } as const;

export type Runner = {
  page: StepPage;
  keyboard: Keyboard;
  secrets: ReadonlyMap<string, string>;
  takeCode: StepsRequest["takeCode"];
  origins: StepsRequest["origins"];
  /** How long the step may wait for its element. */
  ms: number;
};

/** Does one step; returns the element that it found, if it needs one. */
export async function runStep(runner: Runner, step: PageStep): Promise<FoundElement | null> {
  const { page, keyboard, ms } = runner;
  const { tab } = page;
  switch (step.type) {
    case "navigate": {
      const { errorText } = await tab.send("Page.navigate", { url: step.url });
      if (errorText !== undefined) await page.until(() => false, 1_000);
      return null;
    }
    case "click":
    case "doubleClick":
    case "hover":
      return usePointer(runner, step);
    case "change":
      return fill(runner, step);
    case "keyDown":
      await keyboard.press(step.key);
      return null;
    case "keyUp":
      await keyboard.release(step.key);
      return null;
    case "scroll":
      return scroll(runner, step);
    case "waitForElement":
      if (step.visible === false) return untilGone(runner, step);
      return findElement(page, step, { ms });
    case "setViewport":
      page.setViewport(step);
      await tab.send("Emulation.setDeviceMetricsOverride", {
        width: step.width,
        height: step.height,
        deviceScaleFactor: 1,
        mobile: false,
      });
      return null;
    case "customStep":
      if (step.name === "waitForUrl") await untilUrl(runner, step.parameters.url ?? "");
      else await closeOverlay(runner);
      return null;
  }
}

type OnElement<Type extends PageStep["type"]> = Extract<PageStep, { type: Type }>;

async function usePointer({ page, ms }: Runner, step: OnElement<"click" | "doubleClick" | "hover">) {
  const element = await findElement(page, step, { ms });
  const offset = step.type === "hover" ? {} : { offsetX: step.offsetX, offsetY: step.offsetY };
  const point = await pointAt(page, element, { ...offset, ms });
  if (step.type === "hover") return element;
  const button = buttons[step.button ?? "primary"];
  const click = async (clickCount: number) => {
    await page.tab.send("Input.dispatchMouseEvent", { type: "mousePressed", ...point, button, clickCount });
    await page.tab.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...point, button, clickCount });
  };
  await click(1);
  if (step.type === "doubleClick") await click(2);
  return element;
}

async function fill(runner: Runner, step: OnElement<"change">) {
  const { page, keyboard, secrets, ms } = runner;
  const names = secretsIn(step.value);
  const missing = names.find((name) => !secrets.has(name));
  if (missing) throw new StepFailure(`The secret “${missing}” isn’t set. Enter it in the job’s settings.`);
  const element = await findElement(page, step, { ms });
  if (names.length > 0) await assertOrigin(runner, element);
  const value = fillSecrets(await fillCodes(runner, step.value), secrets);
  const isSecret = names.length > 0;
  // The fields of one-time codes often take a digit each, so these are typed.
  const atOnce = isSecret && codesIn(step.value).length === 0;
  const { types, reason, isEmpty, isInserted } = await page.tab.run<{
    types: boolean;
    reason?: string;
    isEmpty?: boolean;
    isInserted?: boolean;
  }>(element.world, scripts.fillElement, { value, isSecret, atOnce });
  if (reason) throw new StepFailure(reason);
  // Some pages wait for a key before they look at a field.
  if (isInserted) await keyboard.press("End");
  if (!types) return element;
  if (value === "" && !isEmpty) await keyboard.press("Backspace");
  await keyboard.type(value);
  return element;
}

/** Refuses to type a secret into a page that isn't of the identity's sites. */
async function assertOrigin({ page, origins }: Runner, { world }: FoundElement): Promise<void> {
  if (!origins) return;
  const origin = await page.tab.run<string>(world, "() => globalThis.origin", {});
  if (!origins.includes(origin))
    throw new StepFailure(
      `No secret is typed at ${origin.slice(0, 200)}, which isn’t one of the identity’s sites. Add it to them if it is the right one.`,
    );
}

/** Puts one-time codes in the place of their references, as late as possible: they are valid for a short time. */
async function fillCodes({ secrets, takeCode }: Runner, text: string): Promise<string> {
  let filled = text;
  for (const name of codesIn(text)) {
    const code = await takeCode?.(secrets.get(name) ?? "");
    if (!code)
      throw new StepFailure(
        `The secret “${name}” isn’t a key of one-time codes. Enter the key that the site shows with its QR code.`,
      );
    filled = fillCode(filled, name, code);
  }
  return filled;
}

async function scroll({ page, ms }: Runner, step: OnElement<"scroll">) {
  const { selectors, frame, x, y } = step;
  if (!selectors && !frame) {
    const world = await page.tab.openIsolatedWorld();
    await page.tab.run(world, scrollTo, { x, y, isPage: true });
    return null;
  }
  const wanted = { ...step, selectors: selectors ?? [["html"]] };
  const element = await findElement(page, wanted, { ms, needsShown: false });
  await page.tab.run(element.world, scrollTo, { x, y, isPage: !selectors });
  return element;
}

async function untilGone({ page, ms }: Runner, step: OnElement<"waitForElement">): Promise<null> {
  const end = performance.now() + ms;
  while (await isElementThere(page, step)) {
    const reason = page.endReason();
    if (reason) throw new StepFailure(reason);
    if (performance.now() > end) throw new StepFailure("The element is still shown.");
    await page.until(() => false, pollMs);
  }
  return null;
}

async function untilUrl({ page, ms }: Runner, wanted: string): Promise<void> {
  const isReached = () => containsPattern(wanted, page.url());
  await page.until(isReached, ms, pollMs);
  const reason = page.endReason();
  if (reason) throw new StepFailure(reason);
  if (!isReached()) throw new StepFailure(`The page’s URL is still ${page.url().slice(0, 200)}.`);
}

async function closeOverlay({ page, keyboard }: Runner): Promise<void> {
  const run = async () => page.tab.run<string>(await page.tab.openIsolatedWorld(), scripts.closeOverlay, {});
  const done = await run();
  if (done === "none") await keyboard.press("Escape");
}
