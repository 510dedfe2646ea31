import { expect, test } from "vitest";
import { badgeText } from "./badge-text.ts";

test.each([
  [1, "1"],
  [99, "99"],
  [100, "99+"],
])("%i unread is shown as %s", (unread, text) => {
  expect(badgeText(unread)).toBe(text);
});
