import { expect, test } from "vitest";
import { proposeProofs } from "./propose-proofs.ts";

type Page = Parameters<typeof proposeProofs>[0];
const page = (texts: string[], links: Page["links"] = []): Page => ({
  text: texts.map((text) => ({ text })) as Page["text"],
  links,
});
const without = page(["Shop", "Sign in", "Lamps for everyone"]);

test("the link for signing out is proposed first, in the words of the page or by its address", () => {
  const links = [{ href: "https://shop.example/user/logout?token=1", text: "" }];
  const proofs = proposeProofs(
    page(["Shop", "Hello Ana", "My account", "Sign out", "3 orders"], links),
    without,
  );
  expect(proofs.map(({ text, selector }) => text ?? selector)).toEqual([
    "Sign out",
    'a[href*="/user/logout"]',
    "My account",
    "Hello Ana",
  ]);
  expect(proofs.map(({ why }) => why.slice(0, 30))).toEqual([
    "Only somebody who is signed in",
    "A link for signing out.",
    "A part of the site for those w",
    "Only shown with the session. M",
  ]);
});

test("what everybody sees proves nothing, and neither does long text", () => {
  const long = "A very long sentence that is content of the page and may change at any time";
  expect(proposeProofs(page(["Shop", "sign  in", "Lamps", long]), without)).toEqual([]);
});
