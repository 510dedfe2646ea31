import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("docs", name));

const read = (page: string) => readFileSync(join(root, page), "utf8");

test("every test that the docs name exists", () => {
  const named = pages.flatMap((page) =>
    Array.from(
      read(page).matchAll(/\b(?:src|e2e|scripts|bench)\/[\w./-]+\.(?:test|spec)\.tsx?/g),
      ([path]) => `${page}: ${path}`,
    ),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((one) => !existsSync(join(root, one.split(": ")[1] ?? "")))).toEqual([]);
});

test("every page that the docs lead to exists", () => {
  const links = [...pages, "README.md", "CONTRIBUTING.md"].flatMap((page) =>
    Array.from(read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g), ([, to = ""]) => ({
      page,
      to,
      target: join(root, page, "..", to),
    })),
  );
  expect(links.filter(({ target }) => !existsSync(target)).map(({ page, to }) => `${page}: ${to}`)).toEqual(
    [],
  );
});
