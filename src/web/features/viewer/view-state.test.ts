import { expect, test } from "vitest";
import { inOrder, lookOf, partnerOf } from "./view-state.ts";

const detail = { baselineId: "b", previousId: "p", nextId: "n" };

test.each([
  [null, "b"],
  ["previous", "b"],
  ["next", "n"],
  ["off", null],
  ["other", "other"],
  ["me", null],
])("with=%s compares with %s", (choice, partner) => {
  expect(partnerOf(choice, "me", detail)).toBe(partner);
});

test("where nothing was compared, the one before is the reference", () => {
  expect(partnerOf(null, "me", { ...detail, baselineId: null })).toBe("p");
});

test("the older one is always the one before", () => {
  expect(inOrder("0192", "0191")).toEqual({ from: "0191", to: "0192" });
});

test("a zoom of one is the picture's own size; without one it fits", () => {
  expect(lookOf(new URLSearchParams("zoom=1"), true).zoom).toBe(1);
  expect(lookOf(new URLSearchParams(""), true).zoom).toBeNull();
});

test("any address is a look: nonsense is the default, zoom stays within bounds", () => {
  const look = (search: string, hasImage = true) => lookOf(new URLSearchParams(search), hasImage);
  expect(look("mode=upside-down&zoom=x&at=-3&layout=3")).toEqual({
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
  expect(look("mode=onion&zoom=99&at=4&layout=unified&filter=1&wrap=1&raw=1&find=x&show=html")).toEqual({
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
  expect(look("", false).show).toBe("html");
});
