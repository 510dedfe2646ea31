import { expect, it } from "vitest";
import { createSecretBox } from "./secret-box.ts";

const old = "old-key-old-key-old-key-old-key-old";
const fresh = "new-key-new-key-new-key-new-key-new";

it("D1 an encrypted value can be decrypted only in its own row", () => {
  const box = createSecretBox([fresh]);
  const sealed = box.seal("Bearer überraschung", "job:1");
  expect(sealed).not.toContain("Bearer");
  expect(box.open(sealed, "job:1")).toBe("Bearer überraschung");
  expect(() => box.open(sealed, "job:2")).toThrow();
  expect(box.seal("x", "job:1")).not.toBe(box.seal("x", "job:1"));
});

it("D1 an altered value is refused", () => {
  const box = createSecretBox([fresh]);
  const sealed = box.seal("secret", "job:1");
  const middle = sealed.length - 10;
  const other = sealed[middle] === "A" ? "B" : "A";
  expect(() => box.open(sealed.slice(0, middle) + other + sealed.slice(middle + 1), "job:1")).toThrow();
  expect(() => box.open("nonsense", "job:1")).toThrow("sealed with an unknown key");
});

it("D1 with a new key before the old one, values of both keys can be decrypted", () => {
  const sealedWithOld = createSecretBox([old]).seal("secret", "job:1");
  const rotated = createSecretBox([fresh, old]);
  expect(rotated.open(sealedWithOld, "job:1")).toBe("secret");
  expect(() => createSecretBox([old]).open(rotated.seal("x", "job:1"), "job:1")).toThrow("unknown key");
});
