import { expect, it } from "vitest";
import { createSecretBox } from "./secret-box.ts";

const old = "old-key-old-key-old-key-old-key-old";
const fresh = "new-key-new-key-new-key-new-key-new";

it("D1 opens what it sealed, only in its own row", () => {
  const box = createSecretBox([fresh]);
  const sealed = box.seal("Bearer überraschung", "job:1");
  expect(sealed).not.toContain("Bearer");
  expect(box.open(sealed, "job:1")).toBe("Bearer überraschung");
  expect(() => box.open(sealed, "job:2")).toThrow();
  expect(box.seal("x", "job:1")).not.toBe(box.seal("x", "job:1"));
});

it("D1 refuses an altered value", () => {
  const box = createSecretBox([fresh]);
  const sealed = box.seal("secret", "job:1");
  const middle = sealed.length - 10;
  const other = sealed[middle] === "A" ? "B" : "A";
  expect(() => box.open(sealed.slice(0, middle) + other + sealed.slice(middle + 1), "job:1")).toThrow();
  expect(() => box.open("nonsense", "job:1")).toThrow("sealed with an unknown key");
});

it("D1 a new key in front of the old one opens both", () => {
  const sealedWithOld = createSecretBox([old]).seal("secret", "job:1");
  const rotated = createSecretBox([fresh, old]);
  expect(rotated.open(sealedWithOld, "job:1")).toBe("secret");
  expect(() => createSecretBox([old]).open(rotated.seal("x", "job:1"), "job:1")).toThrow("unknown key");
});
