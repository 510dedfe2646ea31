import { liveSize } from "#contract/live-view.ts";
import type { SessionProof } from "#contract/session-proof.ts";
import type { SessionJar } from "../../session-jar.ts";
import { CdpError } from "../devtools-protocol/cdp-error.ts";
import type { CdpEvent, Method, Params } from "../devtools-protocol/protocol.ts";
import { Keyboard, modifierBits } from "../page-steps/press-keys.ts";
import { StepFailure } from "../page-steps/step-page.ts";
import { readJar } from "../session/jar-in-browser.ts";
import { readPageScript, type Tab } from "../tab.ts";
import { findFocused, findPointed, type Pointed, type PointedElement } from "./find-pointed.ts";
import { ScrollWatch } from "./scroll-watch.ts";
import { type RecordedStep, StepRecorder } from "./step-recorder.ts";

type Point = { x: number; y: number };
type Option = PointedElement["options"][number];

/** What the user of a live page is shown. */
export type LiveEvents = {
  onFrame: (jpeg: Uint8Array) => void;
  onUrl: (url: string) => void;
  onSteps: (steps: RecordedStep[]) => void;
  onOptions: (options: Option[]) => void;
  onNotice: (message: string) => void;
  onGone: () => void;
};

// Fifteen frames a second look fluent, and a page that never stands still costs no more than them.
const frameGapMs = 66;
const scripts = {
  isSignedIn: readPageScript("is-signed-in"),
  fillElement: readPageScript("fill-element"),
};
const valueOf =
  "(element) => { let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return at === element || element.contains(at) ? (element.isContentEditable ? element.innerText : element.value) : null; }";
const notices = {
  file: "Files can’t be chosen in a live view.",
  download: "Downloads are off in a live view.",
  foreign:
    "This part of the page is a frame of another site. You can use it, but it can’t be recorded, and steps can’t be done in it.",
  unknown: "The page changed while you clicked, so this click isn’t recorded. Click again.",
  dialog: (words: string) =>
    `The page asked “${words.slice(0, 200)}”. We answered with Cancel, as at checks.`,
};

/** A page that a user sees and operates, and the steps that this makes. */
export class LivePage {
  readonly #tab: Tab;
  readonly #events: LiveEvents;
  readonly #keyboard: Keyboard;
  readonly #recorder: StepRecorder;
  readonly #scrolls: ScrollWatch;
  readonly #stopListening: () => void;
  #url = "";
  #pressed: { element: Pointed; at: Point } | null = null;
  #typed: { element: PointedElement; step: number } | null = null;
  #chosen: PointedElement | null = null;
  #lastFrameAt = Number.NEGATIVE_INFINITY;

  constructor(tab: Tab, events: LiveEvents) {
    this.#tab = tab;
    this.#events = events;
    this.#keyboard = new Keyboard(tab);
    this.#recorder = new StepRecorder(events.onSteps);
    this.#scrolls = new ScrollWatch(tab, {
      onScrolled: (scrolled) => this.#recorder.scroll(scrolled),
      onForeign: () => events.onNotice(notices.foreign),
    });
    this.#stopListening = tab.listen((event) => this.#onEvent(event));
  }

  get url(): string {
    return this.#url;
  }

  async finish() {
    await this.#scrolls.settle();
    return this.#recorder.recording;
  }

  async open(url: string): Promise<void> {
    const tab = this.#tab;
    await Promise.all([
      tab.send("Page.enable"),
      tab.send("Page.setInterceptFileChooserDialog", { enabled: true, cancel: true }),
      tab.send("Emulation.setFocusEmulationEnabled", { enabled: true }),
      tab.send("Network.setBypassServiceWorker", { bypass: true }),
    ]);
    const { width: maxWidth, height: maxHeight } = liveSize;
    await tab.send("Page.startScreencast", { format: "jpeg", quality: 60, maxWidth, maxHeight });
    // A server that doesn't answer keeps nobody from leaving.
    this.#send("Page.navigate", { url });
  }

  stop(): void {
    this.#stopListening();
  }

  async move(at: Point): Promise<void> {
    await this.#mouse("mouseMoved", at);
  }

  async press(at: Point, clicks: number): Promise<void> {
    this.#typed = null;
    await this.#scrolls.settle();
    const element = await findPointed(this.#tab, at);
    this.#chosen = isKnown(element) && element.kind === "select" ? element : null;
    // A list of options would open in a window of its own, which no frame shows.
    if (this.#chosen) return this.#events.onOptions(this.#chosen.options);
    if (!isKnown(element)) this.#events.onNotice(element ? notices.foreign : notices.unknown);
    this.#pressed = { element, at };
    await this.#mouse("mousePressed", at, clicks);
  }

  async release(at: Point, clicks: number): Promise<void> {
    const pressed = this.#pressed;
    this.#pressed = null;
    if (!pressed) return;
    const isClick = Math.hypot(pressed.at.x - at.x, pressed.at.y - at.y) < 6;
    // A click into a field only gives it the focus, which typing does at checks too.
    const { element } = pressed;
    if (isKnown(element)) {
      if (isClick && element.kind === "other") this.#recorder.click(element, clicks);
      if (element.kind === "file") this.#events.onNotice(notices.file);
    }
    await this.#mouse("mouseReleased", at, clicks);
  }

  /** Moves the pointer to an element, as a step. */
  async hover(at: Point): Promise<void> {
    await this.#scrolls.settle();
    const element = await findPointed(this.#tab, at);
    if (isKnown(element)) this.#recorder.hover(element);
    else this.#events.onNotice(element ? notices.foreign : notices.unknown);
    await this.#mouse("mouseMoved", at);
  }

  async wheel({ x, y, dx, dy }: Point & { dx: number; dy: number }): Promise<void> {
    await this.#scrolls.begin({ x, y });
    await this.#tab.send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: dx, deltaY: dy });
    this.#scrolls.rest();
  }

  async key(key: string, modifiers: readonly string[]): Promise<void> {
    if (Object.hasOwn(modifierBits, key)) return;
    // No key of ours writes it.
    if ([...key].length === 1 && !/^[\x20-\x7e]$/.test(key)) return this.paste(key);
    const isShortcut = modifiers.some((each) => each !== "Shift");
    await this.#scrolls.settle();
    const focused = await this.#field();
    const before = isKnown(focused) ? focused : null;
    const isEnter = key === "Enter" && !before?.isMultiline;
    // Noted before the page acts on it, because the page may be another one afterwards. What is typed into a frame that
    // can't be looked into may be a password.
    if (focused === "foreign") this.#events.onNotice(notices.foreign);
    else if (!isShortcut && key !== "Tab" && (isEnter || !before) && (!before || key.length > 1))
      this.#recorder.key(key);
    for (const modifier of modifiers) await this.#keyboard.press(modifier);
    await this.#keyboard.press(key).catch(orNoKey);
    for (const modifier of modifiers) await this.#keyboard.release(modifier);
    if (key === "Tab" || isEnter) this.#typed = null;
    else if (before) await this.#noteTyped(before);
  }

  async paste(text: string): Promise<void> {
    await this.#scrolls.settle();
    const field = await this.#field();
    await this.#tab.send("Input.insertText", { text });
    if (isKnown(field)) await this.#noteTyped(field);
    else if (field) this.#events.onNotice(notices.foreign);
  }

  async choose(value: string): Promise<void> {
    const element = this.#chosen;
    this.#chosen = null;
    if (!element?.options.some((option) => option.value === value)) return;
    this.#recorder.change(element, value, null);
    await this.#tab.run(element.world, scripts.fillElement, { value, isSecret: false });
  }

  async back(): Promise<void> {
    const { currentIndex, entries } = await this.#tab.send("Page.getNavigationHistory");
    const entry = entries[currentIndex - 1];
    if (!entry || !/^https?:/.test(entry.url)) return;
    this.#recorder.open(entry.url);
    await this.#tab.send("Page.navigateToHistoryEntry", { entryId: entry.id });
  }

  /** What could prove that somebody is signed in: the element that the user points at. */
  async point(at: Point): Promise<{ text: string | null; selector: string | null }> {
    const pointed = await findPointed(this.#tab, at);
    const element = isKnown(pointed) ? pointed : null;
    const isCss = ([first = "", ...others]: string[]) => others.length === 0 && !/^(aria|text)\//.test(first);
    return { text: element?.words || null, selector: element?.selectors.find(isCss)?.[0] ?? null };
  }

  removeStep(id: number): void {
    this.#recorder.remove(id);
  }

  /** Whether the page shows the proof, and whether it asks for a password. */
  async lookForProof(proof: SessionProof): Promise<{ proven: boolean; asksForPassword: boolean }> {
    const world = await this.#tab.openIsolatedWorld();
    return this.#tab.run(world, scripts.isSignedIn, { ...proof, waitMs: 1_000 });
  }

  /** The session of the browser. The page is another one afterwards. */
  readJar(origins: readonly string[], jar: SessionJar): Promise<SessionJar> {
    return readJar(this.#tab, { origins, jar }, this.#url);
  }

  /** The field that is typed in; null if keys go to no field. */
  async #field(): Promise<Pointed> {
    if (this.#typed && (await this.#valueOf(this.#typed.element)) !== null) return this.#typed.element;
    this.#typed = null;
    const element = await findFocused(this.#tab);
    return isKnown(element) && element.kind !== "typed" ? null : element;
  }

  async #noteTyped(element: PointedElement): Promise<void> {
    const value = await this.#valueOf(element);
    if (value === null) return;
    const isSame = this.#typed?.element.objectId === element.objectId;
    // A key that writes nothing begins no step.
    if (!isSame && value === "") return;
    const step = this.#recorder.change(element, value, isSame ? (this.#typed?.step ?? null) : null);
    this.#typed = { element, step };
  }

  async #valueOf({ objectId }: PointedElement): Promise<string | null> {
    const read = this.#tab.send("Runtime.callFunctionOn", {
      functionDeclaration: valueOf,
      objectId,
      arguments: [{ objectId }],
      returnByValue: true,
    });
    const answer = await read.catch(orNothing);
    return typeof answer?.result.value === "string" ? answer.result.value : null;
  }

  async #mouse(type: "mouseMoved" | "mousePressed" | "mouseReleased", { x, y }: Point, clickCount = 0) {
    const button = type === "mouseMoved" ? "none" : "left";
    await this.#tab.send("Input.dispatchMouseEvent", { type, x, y, button, clickCount });
  }

  #onEvent(event: CdpEvent): void {
    if (event.method === "gone" || event.method === "Inspector.targetCrashed") this.#events.onGone();
    else if (event.method === "Page.screencastFrame") this.#onFrame(event.params);
    else if (event.method === "Page.frameNavigated" && !event.params.frame.parentId) {
      this.#typed = null;
      if (this.#url !== "") this.#recorder.noteOpened();
      this.#onUrl(event.params.frame.unreachableUrl ?? event.params.frame.url);
    } else if (event.method === "Page.navigatedWithinDocument" && event.params.frameId === this.#tab.frameId)
      this.#onUrl(event.params.url);
    else if (event.method === "Page.javascriptDialogOpening") {
      this.#send("Page.handleJavaScriptDialog", { accept: /^(alert|beforeunload)$/.test(event.params.type) });
      if (event.params.type !== "beforeunload") this.#events.onNotice(notices.dialog(event.params.message));
    } else if (event.method === "Page.downloadWillBegin") this.#events.onNotice(notices.download);
    // The browser opens no windows; what would be one is shown here, as at checks.
    else if (event.method === "Page.windowOpen" && event.params.userGesture) {
      if (/^https?:/.test(event.params.url)) this.#send("Page.navigate", { url: event.params.url });
    }
  }

  #onUrl(url: string): void {
    this.#url = url;
    this.#events.onUrl(url);
  }

  #onFrame({ data, sessionId }: { data: Uint8Array; sessionId: number }): void {
    // Its memory belongs to the message of the pipe.
    this.#events.onFrame(Uint8Array.from(data));
    const waitMs = Math.max(0, this.#lastFrameAt + frameGapMs - performance.now());
    this.#lastFrameAt = performance.now() + waitMs;
    setTimeout(() => this.#send("Page.screencastFrameAck", { sessionId }), waitMs).unref();
  }

  #send<M extends Method>(method: M, ...params: Params<M>): void {
    this.#tab.send(method, ...params).catch(() => undefined);
  }
}

const isKnown = (pointed: Pointed): pointed is PointedElement => pointed !== null && pointed !== "foreign";

function orNothing(error: unknown): undefined {
  if (error instanceof CdpError) return undefined;
  throw error;
}

/** Keyboards have keys that pages are never told about. */
function orNoKey(error: unknown): void {
  if (!(error instanceof StepFailure)) throw error;
}
