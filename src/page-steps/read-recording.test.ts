import { expect, test } from "vitest";
import { describeStep } from "./describe-step.ts";
import { readRecording } from "./read-recording.ts";
import { toRecording } from "./to-recording.ts";

const recorder = {
  title: "Sign in",
  steps: [
    {
      type: "setViewport",
      width: 1021,
      height: 812,
      deviceScaleFactor: 1,
      isMobile: false,
      hasTouch: false,
      isLandscape: false,
    },
    {
      type: "navigate",
      url: "https://shop.example/",
      assertedEvents: [{ type: "navigation", url: "https://shop.example/", title: "Shop" }],
    },
    {
      type: "click",
      target: "main",
      selectors: [["aria/Sign in"], "#sign-in", ["my-app", "button"]],
      offsetX: 10.5,
      offsetY: 4,
      assertedEvents: [{ type: "navigation" }],
    },
    { type: "change", target: "main", value: "ana", selectors: [["aria/User"], ["#user"]] },
    { type: "change", target: "main", value: 'hunter"2 😀', selectors: [["aria/Password"], ["#pw"]] },
    { type: "keyDown", target: "main", key: "Enter" },
    { type: "keyUp", target: "main", key: "Enter" },
    { type: "waitForElement", selectors: ["text/Prices"], count: 1, operator: ">=" },
    { type: "customStep", name: "closeOverlay", parameters: {} },
  ],
};

test("a recording of the DevTools Recorder becomes steps, and its password a secret", () => {
  const { title, steps, secrets, refused } = readRecording(JSON.stringify(recorder));
  expect([title, refused]).toEqual(["Sign in", []]);
  expect(secrets).toEqual([{ name: "password", value: 'hunter"2 😀' }]);
  expect(JSON.stringify(steps)).not.toContain("hunter");
  expect(steps.map(describeStep)).toEqual([
    "Set the window to 1021 × 812",
    "Open https://shop.example/",
    "Click “Sign in”",
    "Enter “ana” in “User”",
    "Enter “{{secret.password}}” in “Password”",
    "Press Enter",
    "Wait for “Prices”",
    "Close an overlay",
  ]);
  expect(steps[2]).toEqual({
    type: "click",
    selectors: [["aria/Sign in"], ["#sign-in"], ["my-app", "button"]],
    offsetX: 10.5,
    offsetY: 4,
    assertedEvents: [{ type: "navigation" }],
  });
});

test("an exported recording is read as the same steps", () => {
  const { steps } = readRecording(JSON.stringify(recorder));
  const exported = toRecording("Sign in", steps);
  expect(readRecording(exported)).toEqual({ title: "Sign in", steps, secrets: [], refused: [] });
  const types = (JSON.parse(exported).steps as { type: string; key?: string }[]).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith("key"))).toEqual(["keyDown", "keyUp"]);
});

test("modifiers are held until they are released", () => {
  const keys = [
    ["keyDown", "Control"],
    ["keyDown", "a"],
    ["keyUp", "a"],
    ["keyUp", "Control"],
  ].map(([type, key]) => ({ type, key }));
  expect(readRecording(JSON.stringify(keys)).steps.map(describeStep)).toEqual([
    "Press Control",
    "Press a",
    "Release Control",
  ]);
});

test("a password that is used twice is one secret, and another one gets its own name", () => {
  const fill = (value: string) => ({ type: "change", selectors: ["input[type=password]"], value });
  const { steps, secrets } = readRecording(JSON.stringify([fill("one"), fill("two"), fill("one")]));
  expect(secrets).toEqual([
    { name: "password", value: "one" },
    { name: "password-2", value: "two" },
  ]);
  expect(steps.map((step) => "value" in step && step.value)).toEqual([
    "{{secret.password}}",
    "{{secret.password-2}}",
    "{{secret.password}}",
  ]);
});

const click = { type: "click", selectors: ["#a"] };
test.for<[what: string, recording: string, sentence: string, steps?: number]>([
  [
    "code of the page",
    JSON.stringify([click, { type: "waitForExpression", expression: "window.ready" }]),
    "Step 2 is left out: it runs code in the page, which isn’t possible here. Wait for an element, a text or a URL instead.",
    1,
  ],
  [
    "a custom step",
    JSON.stringify([{ type: "customStep", name: "lighthouse", parameters: {} }, click]),
    "Step 1 is left out: only the tool that recorded it can run the custom step “lighthouse”.",
    1,
  ],
  [
    "a slower network",
    JSON.stringify([{ type: "emulateNetworkConditions", download: 1, upload: 1, latency: 1 }, click]),
    "Step 1 is left out: the network isn’t slowed down here.",
    1,
  ],
  [
    "a number of elements",
    JSON.stringify([{ type: "waitForElement", selectors: ["li"], count: 40, operator: "==" }]),
    "Step 1 is left out: a number of elements can’t be waited for, only that there is one.",
  ],
  [
    "an unknown step",
    JSON.stringify([{ type: "teleport" }]),
    "Step 1 is left out: There is no such step. Code and custom steps can’t be run: wait for an element, a text or a URL instead.",
  ],
  [
    "a step without a selector",
    JSON.stringify([{ type: "click" }]),
    "Step 1 is left out: The step doesn’t say which element it uses.",
  ],
  ["no step at all", JSON.stringify([3]), "Step 1 is left out: it isn’t a step."],
  [
    "a file on the disk",
    JSON.stringify([{ type: "navigate", url: "file:///etc/passwd" }]),
    "Step 1 is left out: Start with http:// or https://.",
  ],
  [
    "Selenium IDE",
    JSON.stringify({ id: "1", tests: [] }),
    "This is a recording of Selenium IDE. Record it with the DevTools Recorder instead.",
  ],
  ["other JSON", "{}", "This isn’t a recording of the DevTools Recorder: it has no list of steps."],
  ["broken JSON", "{", "This isn’t JSON: export the recording again, as JSON."],
  ["an empty list", "[]", "The recording has no steps."],
  [
    "Python",
    "from playwright.sync_api import Page\ndef run(page):\n  page.get_by_text('x').click()",
    "This is Playwright’s Python code. Choose JavaScript as the target in codegen.",
  ],
  [
    "no code",
    "Hello, dear world!",
    "This can’t be read as JSON of the DevTools Recorder, nor as JavaScript of Playwright’s codegen.",
  ],
])("%s is refused with a sentence", ([, recording, sentence, steps = 0]) => {
  const read = readRecording(recording);
  expect([read.refused, read.steps.length]).toEqual([[sentence], steps]);
});

test("of an endless recording the first fifty steps are taken", () => {
  const { steps, refused } = readRecording(JSON.stringify(Array.from({ length: 1000 }, () => click)));
  expect([steps.length, refused]).toEqual([50, ["Only the first 50 of the 1000 steps are taken."]]);
});

test("a recording without an element of older versions is read", () => {
  expect(readRecording(JSON.stringify([{ type: "click", selector: "#old" }])).steps).toEqual([
    { type: "click", selectors: [["#old"]] },
  ]);
});

test.for(["a;", "[", ".b()", "await page.goto('http://a.example/');\n"])(
  "code of 100,000 characters of %j is read in linear time, and few of its problems are listed",
  (piece) => {
    const { steps, refused } = readRecording(`await page${piece.repeat(99_000 / piece.length)}`);
    expect(steps.length).toBeLessThanOrEqual(50);
    expect(refused.length).toBeLessThanOrEqual(51);
  },
);

test("of a recording with very many problems, the first ones are listed", () => {
  const { refused } = readRecording(`[${"1,".repeat(100_000)}1]`);
  expect(refused).toHaveLength(51);
  expect(refused.at(-1)).toBe("Left out besides these: 99951.");
});

test("code that is far longer than a recording is refused", () => {
  expect(readRecording("a;".repeat(60_000))).toEqual({
    title: "",
    steps: [],
    secrets: [],
    refused: ["This code is longer than 100,000 characters. Paste one test only."],
  });
});
