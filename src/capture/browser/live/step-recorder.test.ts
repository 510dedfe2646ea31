import { beforeEach, expect, test } from "vitest";
import type { PointedElement } from "./find-pointed.ts";
import { type RecordedStep, StepRecorder } from "./step-recorder.ts";

let shown: RecordedStep[] = [];
let recorder: StepRecorder;
beforeEach(() => {
  shown = [];
  recorder = new StepRecorder((steps) => {
    shown = steps;
  });
});

const field = (selector: string, more: Partial<PointedElement> = {}): PointedElement => ({
  world: 1,
  objectId: selector,
  frame: [],
  selectors: [[selector]],
  words: "",
  kind: "typed",
  isPassword: false,
  isCode: false,
  isMultiline: false,
  options: [],
  ...more,
});
const button = field("button", { kind: "other" });

test("a password is a secret from its first key on, and goes with its step", () => {
  const password = field("#password", { isPassword: true });
  const id = recorder.change(password, "h", null);
  expect(JSON.stringify(shown)).not.toContain('"h"');
  recorder.change(password, `h"😀`, id);
  const other = recorder.change(field("#again", { isPassword: true }), "two", null);
  expect(recorder.recording).toEqual({
    steps: [
      { type: "change", selectors: [["#password"]], value: "{{secret.password}}" },
      { type: "change", selectors: [["#again"]], value: "{{secret.password-2}}" },
    ],
    secrets: [
      { name: "password", value: `h"😀` },
      { name: "password-2", value: "two" },
    ],
  });
  recorder.remove(other);
  expect(recorder.recording.secrets).toHaveLength(1);
});

test("a code that is valid once is a reference to its key, and an element in a frame has the way to it", () => {
  recorder.change(field("#code", { isCode: true }), "123456", null);
  recorder.click(field("a", { kind: "other", frame: [0, 2] }), 1);
  expect(recorder.recording).toEqual({
    steps: [
      { type: "change", selectors: [["#code"]], value: "{{totp.key}}" },
      { type: "click", selectors: [["a"]], frame: [0, 2] },
    ],
    secrets: [],
  });
});

test("a step that opens a page says so, two clicks are a double click, and fifty steps are enough", () => {
  recorder.change(field("#q"), "lamp", null);
  recorder.noteOpened();
  expect(shown.at(-1)?.step).not.toHaveProperty("assertedEvents");
  recorder.click(button, 1);
  recorder.click(button, 2);
  recorder.noteOpened();
  expect(shown.map(({ step }) => step)).toMatchObject([
    { type: "change", value: "lamp" },
    { type: "doubleClick", assertedEvents: [{ type: "navigation" }] },
  ]);
  for (let i = 0; i < 60; i++) recorder.key("ArrowDown");
  expect(shown).toHaveLength(50);
});

test("what is scrolled is a step with its last position, and a hover is a step of its own", () => {
  const list = field("#list", { kind: "other" });
  recorder.scroll({ element: null, frame: [], x: 0, y: 300 });
  recorder.scroll({ element: null, frame: [], x: 0, y: 900 });
  recorder.scroll({ element: list, frame: [], x: 0, y: 40 });
  recorder.scroll({ element: null, frame: [1], x: 0, y: 10 });
  recorder.scroll({ element: null, frame: [], x: 0, y: 20 });
  recorder.hover(button);
  expect(recorder.recording.steps).toEqual([
    { type: "scroll", x: 0, y: 900 },
    { type: "scroll", selectors: [["#list"]], x: 0, y: 40 },
    { type: "scroll", frame: [1], x: 0, y: 10 },
    { type: "scroll", x: 0, y: 20 },
    { type: "hover", selectors: [["button"]] },
  ]);
});
