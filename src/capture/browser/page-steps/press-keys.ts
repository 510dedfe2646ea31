import type { Tab } from "../tab.ts";
import { StepFailure } from "./step-page.ts";

type Key = { code: string; keyCode: number; text?: string };

const namedKeys: Record<string, Key> = {
  Enter: { code: "Enter", keyCode: 13, text: "\r" },
  Tab: { code: "Tab", keyCode: 9 },
  Escape: { code: "Escape", keyCode: 27 },
  Backspace: { code: "Backspace", keyCode: 8 },
  Delete: { code: "Delete", keyCode: 46 },
  ArrowLeft: { code: "ArrowLeft", keyCode: 37 },
  ArrowUp: { code: "ArrowUp", keyCode: 38 },
  ArrowRight: { code: "ArrowRight", keyCode: 39 },
  ArrowDown: { code: "ArrowDown", keyCode: 40 },
  Home: { code: "Home", keyCode: 36 },
  End: { code: "End", keyCode: 35 },
  PageUp: { code: "PageUp", keyCode: 33 },
  PageDown: { code: "PageDown", keyCode: 34 },
  Space: { code: "Space", keyCode: 32, text: " " },
  " ": { code: "Space", keyCode: 32, text: " " },
  Control: { code: "ControlLeft", keyCode: 17 },
  Shift: { code: "ShiftLeft", keyCode: 16 },
  Alt: { code: "AltLeft", keyCode: 18 },
  Meta: { code: "MetaLeft", keyCode: 91 },
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`F${at + 1}`, { code: `F${at + 1}`, keyCode: 112 + at }]),
  ),
};
export const modifierBits: Record<string, number> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/** The keyboard of a page, which holds modifiers until they are released. */
export class Keyboard {
  readonly #tab: Tab;
  #modifiers = 0;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /** Presses a key. Modifiers stay down, all others are released at once. */
  async press(key: string): Promise<void> {
    const bit = modifierBits[key];
    if (bit) this.#modifiers |= bit;
    await this.#send("keyDown", key);
    if (!bit) await this.#send("keyUp", key);
  }

  async release(key: string): Promise<void> {
    const bit = modifierBits[key];
    if (!bit) return;
    this.#modifiers &= ~bit;
    await this.#send("keyUp", key);
  }

  /** Types a text as a visitor does, key by key; what no key writes is inserted. */
  async type(text: string): Promise<void> {
    for (const character of text) {
      if (/^[\x20-\x7e]$/.test(character)) await this.press(character);
      else if (character === "\n") await this.press("Enter");
      else await this.#tab.send("Input.insertText", { text: character });
    }
  }

  async #send(type: "keyDown" | "keyUp", key: string): Promise<void> {
    const known = Object.hasOwn(namedKeys, key) ? namedKeys[key] : undefined;
    if (!known && [...key].length !== 1) throw new StepFailure(`There is no key “${key}”.`);
    const { code, keyCode, text } = known ?? keyOf(key);
    // With Control or Meta a key is a shortcut and writes nothing.
    const writes = type === "keyDown" && (this.#modifiers & 6) === 0 ? text : undefined;
    await this.#tab.send("Input.dispatchKeyEvent", {
      type: type === "keyDown" && writes === undefined ? "rawKeyDown" : type,
      key: key === "Space" ? " " : key,
      code,
      windowsVirtualKeyCode: keyCode,
      modifiers: this.#modifiers,
      ...(writes !== undefined && { text: writes, unmodifiedText: writes }),
      ...(type === "keyDown" && (this.#modifiers & 6) > 0 && key === "a" && { commands: ["selectAll"] }),
    });
  }
}

function keyOf(character: string): Key {
  const upper = character.toUpperCase();
  const isLetter = /^[A-Z]$/.test(upper);
  const isDigit = /^\d$/.test(character);
  const code = isLetter ? `Key${upper}` : isDigit ? `Digit${character}` : "";
  return { code, keyCode: isLetter || isDigit ? upper.charCodeAt(0) : 0, text: character };
}
