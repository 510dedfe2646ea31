import type { PageStep, StepSecret } from "#contract/page-steps.ts";
import { maxPageSteps } from "#contract/page-steps.ts";
import type { PointedElement } from "./find-pointed.ts";

/** What was scrolled, and where it is now; without an element, the page in that frame. */
export type Scrolled = { element: PointedElement | null; frame: number[]; x: number; y: number };

export type RecordedStep = { id: number; step: PageStep };

const opensWithinMs = 4_000;
const mostSelectors = 8;

/** Makes steps of what a user does. Passwords are secrets from the first character on. */
export class StepRecorder {
  readonly #onChange: (steps: RecordedStep[]) => void;
  #steps: RecordedStep[] = [];
  readonly #secrets = new Map<number, StepSecret>();
  #lastId = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(onChange: (steps: RecordedStep[]) => void) {
    this.#onChange = onChange;
  }

  /** The steps, and the secrets that they refer to. */
  get recording(): { steps: PageStep[]; secrets: StepSecret[] } {
    const ids = new Set(this.#steps.map(({ id }) => id));
    return {
      steps: this.#steps.map(({ step }) => step),
      secrets: [...this.#secrets].filter(([id]) => ids.has(id)).map(([, secret]) => secret),
    };
  }

  click(element: PointedElement, clicks: number): void {
    const step = { type: clicks === 2 ? "doubleClick" : "click", ...whereOf(element) } as const;
    const last = this.#steps.at(-1);
    const isSecond =
      clicks === 2 &&
      last?.step.type === "click" &&
      last.step.selectors[0]?.join() === step.selectors[0]?.join();
    if (isSecond) this.#put({ ...last, step });
    else this.#add(step);
  }

  hover(element: PointedElement): void {
    this.#add({ type: "hover", ...whereOf(element) });
  }

  /** Of several times in a row that the same part is scrolled, the last position counts. */
  scroll({ element, frame, x, y }: Scrolled): void {
    const where = element ? whereOf(element) : { ...(frame.length > 0 && { frame }) };
    const step = { type: "scroll", ...where, x, y } as const;
    const last = this.#steps.at(-1);
    const isSame =
      last?.step.type === "scroll" && JSON.stringify(placeOf(last.step)) === JSON.stringify(placeOf(step));
    if (isSame) this.#put({ ...last, step });
    else this.#add(step);
  }

  key(key: string): void {
    this.#add({ type: "keyDown", key });
  }

  open(url: string): void {
    this.#add({ type: "navigate", url });
  }

  /** What a field holds after a key; `id` is the step of an earlier key in the same field. Returns the step's id. */
  change(element: PointedElement, value: string, id: number | null): number {
    const step = (text: string) => ({ type: "change", ...whereOf(element), value: text }) as const;
    const at = id ?? ++this.#lastId;
    if (element.isCode) this.#put({ id: at, step: step("{{totp.key}}") });
    else if (element.isPassword) {
      const secret = this.#secrets.get(at) ?? { name: this.#freeName(), value };
      this.#secrets.set(at, { ...secret, value });
      this.#put({ id: at, step: step(`{{secret.${secret.name}}}`) });
    } else this.#put({ id: at, step: step(value) });
    return at;
  }

  remove(id: number): void {
    this.#steps = this.#steps.filter((each) => each.id !== id);
    this.#onChange(this.#steps);
  }

  /** Another page opened: the step right before led to it. */
  noteOpened(): void {
    const last = this.#steps.at(-1);
    if (!last || performance.now() - this.#lastAt > opensWithinMs) return;
    const { step } = last;
    if (step.type === "click" || step.type === "doubleClick" || step.type === "keyDown")
      this.#put({ ...last, step: { ...step, assertedEvents: [{ type: "navigation" }] } });
  }

  #freeName(): string {
    const taken = new Set([...this.#secrets.values()].map(({ name }) => name));
    let name = "password";
    for (let at = 2; taken.has(name); at++) name = `password-${at}`;
    return name;
  }

  #add(step: PageStep): void {
    this.#put({ id: ++this.#lastId, step });
  }

  #put(recorded: RecordedStep): void {
    const at = this.#steps.findIndex(({ id }) => id === recorded.id);
    if (at < 0 && this.#steps.length >= maxPageSteps) return;
    this.#steps = at < 0 ? [...this.#steps, recorded] : this.#steps.with(at, recorded);
    this.#lastAt = performance.now();
    this.#onChange(this.#steps);
  }
}

const placeOf = ({
  selectors,
  frame,
}: {
  selectors?: string[][] | undefined;
  frame?: number[] | undefined;
}) => [selectors?.[0], frame];

const whereOf = ({ selectors, frame }: PointedElement) => ({
  selectors: selectors.slice(0, mostSelectors),
  ...(frame.length > 0 && { frame }),
});
