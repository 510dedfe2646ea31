import { readPageScript, type Tab } from "../tab.ts";
import { describeHeld, findPointed, orNull, type PointedElement } from "./find-pointed.ts";
import type { Scrolled } from "./step-recorder.ts";

const watchScroll = readPageScript("watch-scroll");
const restMs = 400;

type Moved = { x: number; y: number; isPage: boolean };
type Report = { onScrolled: (scrolled: Scrolled) => void; onForeign: () => void };

/** Finds out what the wheel scrolled: once it rests, or before the next thing is done on the page. */
export class ScrollWatch {
  readonly #tab: Tab;
  readonly #report: Report;
  #under: PointedElement | null = null;
  #resting: NodeJS.Timeout | undefined;

  constructor(tab: Tab, report: Report) {
    this.#tab = tab;
    this.#report = report;
  }

  /** Called before the wheel turns. */
  async begin(at: { x: number; y: number }): Promise<void> {
    clearTimeout(this.#resting);
    if (this.#under) return;
    const pointed = await findPointed(this.#tab, at, true);
    if (pointed === "foreign") return this.#report.onForeign();
    if (pointed) await orNull(() => this.#watch(pointed, { objectId: pointed.objectId }));
    this.#under = pointed;
  }

  /** Called after the wheel turned. */
  rest(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => void this.settle().catch(() => undefined), restMs).unref();
  }

  async settle(): Promise<void> {
    clearTimeout(this.#resting);
    const under = this.#under;
    this.#under = null;
    if (!under) return;
    await orNull(async () => {
      const moved = await this.#watch(under);
      if (!moved) return null;
      const { frame, world } = under;
      const element = moved.isPage ? null : await describeHeld(this.#tab, { world, frame });
      if (moved.isPage || element) this.#report.onScrolled({ element, frame, x: moved.x, y: moved.y });
      return null;
    });
  }

  async #watch({ world }: PointedElement, target?: { objectId: string }): Promise<Moved | null> {
    const { result } = await this.#tab.send("Runtime.callFunctionOn", {
      functionDeclaration: watchScroll,
      executionContextId: world,
      arguments: [{ value: null }, ...(target ? [target] : [])],
      returnByValue: true,
      awaitPromise: true,
    });
    return result.value as Moved | null;
  }
}
