import { expect, test } from "vitest";
import { comparedIdOf, inOrder, readViewState } from "./view-state.ts";

const detail = { baselineId: "b", previousId: "p", nextId: "n" };

test.each([
  [null, "b"],
  ["previous", "b"],
  ["next", "n"],
  ["off", null],
  ["other", "other"],
  ["me", null],
])("with=%s compares with %s", (choice, partner) => {
  expect(comparedIdOf(choice, "me", detail)).toBe(partner);
});

test("an execution without a baseline is compared with the previous one", () => {
  expect(comparedIdOf(null, "me", { ...detail, baselineId: null })).toBe("p");
});

test("the older execution is always the first of the two", () => {
  expect(inOrder("0192", "0191")).toEqual({ from: "0191", to: "0192" });
});

test("zoom=1 is the picture's own size; without zoom the picture fits the view", () => {
  expect(readViewState(new URLSearchParams("zoom=1"), true).zoom).toBe(1);
  expect(readViewState(new URLSearchParams(""), true).zoom).toBeNull();
});

test("every URL gives a valid view: invalid values become the default, and zoom stays within bounds", () => {
  const viewOf = (search: string, hasImage = true) => readViewState(new URLSearchParams(search), hasImage);
  expect(viewOf("mode=upside-down&zoom=x&at=-3&layout=3")).toEqual({
    show: "image",
    mode: "side",
    layout: "split",
    filter: false,
    wrap: false,
    noise: false,
    region: null,
    formatted: true,
    zoom: null,
    at: 0,
    find: "",
  });
  expect(viewOf("mode=onion&zoom=99&at=4&layout=unified&filter=1&wrap=1&raw=1&find=x&show=html")).toEqual({
    show: "html",
    mode: "onion",
    layout: "unified",
    filter: true,
    wrap: true,
    noise: false,
    region: null,
    formatted: false,
    zoom: 8,
    at: 4,
    find: "x",
  });
  expect(viewOf("", false).show).toBe("html");
});

test("on phones the pictures are compared by the slider first; a chosen mode stays", () => {
  expect(readViewState(new URLSearchParams(), true).mode).toBe("side");
  expect(readViewState(new URLSearchParams(), true, true).mode).toBe("slider");
  expect(readViewState(new URLSearchParams("mode=side"), true, true).mode).toBe("side");
});
