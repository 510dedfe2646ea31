import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import type { SitePage } from "./use-site.ts";

const page = (more: Partial<SitePage>) =>
  ({ notRequested: null, problem: null, movedTo: null, status: 200, ...more }) as SitePage;

test.for<[more: Partial<SitePage>, text: string]>([
  [{}, ""],
  [{ status: null }, "Not requested yet"],
  [{ status: null, notRequested: "robots" }, "Not requested: robots.txt asks for that"],
  [{ problem: "The server took too long to answer." }, "The server took too long to answer."],
  [{ status: 301, movedTo: "https://shop.example/b" }, "Moved to https://shop.example/b"],
])("%j is described as “%s”", ([more, text]) => {
  expect(describePage(page(more))).toBe(text);
});
