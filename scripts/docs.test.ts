import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { conditionKinds, conditionNames } from "#alert-conditions/condition-kinds.ts";
import { AlertIf } from "#contract/alert-if.ts";

const root = join(import.meta.dirname, "..");
const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("docs", name));

const read = (page: string) => readFileSync(join(root, page), "utf8");

test("every file and folder of the code that the docs name exists", () => {
  const rooms = readdirSync(join(root, "src"));
  const named = [...pages, "CONTRIBUTING.md", "SECURITY.md", "README.md"].flatMap((page) =>
    Array.from(read(page).matchAll(/`([\w.-]+)\/([\w./-]*)`/g), ([, first = "", rest = ""]) => ({
      page,
      path: rooms.includes(first) ? join("src", first, rest) : join(first, rest),
    })).filter(({ path }) => /^(src|e2e|scripts|bench)\//.test(path)),
  );
  expect(named.length).toBeGreaterThan(300);
  expect(
    named.filter(({ path }) => !existsSync(join(root, path))).map(({ page, path }) => `${page}: ${path}`),
  ).toEqual([]);
});

test("the architecture page describes every room", () => {
  const table = Array.from(
    read("docs/architecture.md").matchAll(/^\| ([a-z][\w-]*) +\| \S/gm),
    ([, room]) => room,
  );
  expect(new Set(table)).toEqual(new Set(["room", ...readdirSync(join(root, "src"))]));
});

test("every page that the docs link to exists", () => {
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

const guides = [...pages.filter((page) => !page.includes("decisions")), "README.md", "CONTRIBUTING.md"];

/** The words of all code and settings, where a name that the docs mention must occur. */
function wordsOfCode(): Set<string> {
  const files = ["src", "scripts", "bench", "e2e", "ops"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|m?js|json|ya?ml|sql|conf|ini)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const all = [...files, join(root, "package.json"), join(root, "vite.config.ts")];
  return new Set(all.flatMap((file) => readFileSync(file, "utf8").match(/[\w$]+/g) ?? []));
}

test("every function, variable and setting that the guides name exists", () => {
  const words = wordsOfCode();
  const named = guides.flatMap((page) =>
    Array.from(read(page).matchAll(/`([^`\n]+)`/g), ([, code = ""]) => code)
      .flatMap((code) => code.match(/[A-Za-z_$][\w$]*/g) ?? [])
      .filter((word) => /[a-z][A-Z]/.test(word) || /^[A-Z][A-Z\d]*_[A-Z\d_]*[A-Z\d]$/.test(word))
      .map((word) => ({ page, word })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ word }) => !words.has(word)).map(({ page, word }) => `${page}: ${word}`)).toEqual(
    [],
  );
});

test("every command that the docs run exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const commands = [...pages, "README.md", "CONTRIBUTING.md"].flatMap((page) =>
    Array.from(read(page).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g), ([, name = ""]) => ({
      page,
      name,
    })),
  );
  expect(commands.length).toBeGreaterThan(40);
  const exists = (name: string) =>
    name.endsWith(":") ? Object.keys(scripts).some((one) => one.startsWith(name)) : name in scripts;
  expect(commands.filter(({ name }) => !exists(name)).map(({ page, name }) => `${page}: ${name}`)).toEqual(
    [],
  );
});

test("the README lists every environment variable, and only those that are read", () => {
  const table = Array.from(
    read("README.md").matchAll(/^\| (`[A-Z][A-Z_]*`(?:, `[A-Z_]+`)*) +\|/gm),
    ([, cell = ""]) => cell.match(/[A-Z_]+/g),
  ).flat();
  const schema = read("src/server/config.ts").split("z.object({")[1]?.split("\n});")[0] ?? "";
  const known = Array.from(schema.matchAll(/^ {2}([A-Z_]+):/gm), ([, name]) => name);
  expect(known.length).toBeGreaterThan(30);
  expect(new Set(table)).toEqual(new Set(known));
});

test("the operator's guide explains every alert", () => {
  const alerts = Array.from(read("ops/alerts.yml").matchAll(/alert: (\w+)/g), ([, name]) => name);
  const explained = Array.from(
    read("docs/operations.md").matchAll(/^\| (Watchglass\w+) +\|/gm),
    ([, name]) => name,
  );
  expect(new Set(explained)).toEqual(new Set(alerts));
});

test("every text of a screen that the guides quote is on a screen", () => {
  const screens = readdirSync(join(root, "src/web"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx") && !name.endsWith(".test.tsx"))
    .map((name) => read(join("src/web", name)))
    .join("\n");
  const quoted = ["docs/rules.md", "docs/detection.md", "docs/architecture.md"].flatMap((page) =>
    Array.from(read(page).matchAll(/(?<=[\s(])'([A-Z][a-z]*(?: [\w ]+)?)'/g), ([, text = ""]) => ({
      page,
      text,
    })),
  );
  expect(quoted.length).toBeGreaterThan(1);
  expect(quoted.filter(({ text }) => !screens.includes(text))).toEqual([]);
});

test("the table of conditions, which the form and docs/rules.md show, has every kind that the API takes", () => {
  const Choice = z.object({ enum: z.array(z.string()).default([""]) }).default({ enum: [""] });
  const Properties = z.object({ what: z.object({ const: z.string() }), is: Choice, of: Choice });
  const Kinds = z.object({
    properties: z.object({
      conditions: z.object({ items: z.object({ oneOf: z.array(z.object({ properties: Properties })) }) }),
    }),
  });
  const { oneOf } = Kinds.parse(z.toJSONSchema(AlertIf, { io: "input" })).properties.conditions.items;
  const names = oneOf.flatMap(({ properties: { what, is, of } }) =>
    of.enum.flatMap((one) => is.enum.map((way) => `${one || what.const} ${way}`.trim())),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(new Set(conditionNames)).toEqual(new Set(names));
  const table = read("docs/rules.md").split("<!-- conditions -->")[1]?.split("<!-- end of conditions -->")[0];
  const rows = (table ?? "").split("\n").filter((line) => line.startsWith("|"));
  expect(
    rows.slice(2).map((row) =>
      row
        .split("|")
        .slice(1, 3)
        .map((cell) => cell.trim()),
    ),
  ).toEqual(Object.values(conditionKinds).map(({ label, means }) => [label, means]));
});

test("every decision has a title of its own, the one that the index lists", () => {
  const index = read("docs/decisions/README.md");
  const titles = pages
    .filter((page) => /decisions\/\d/.test(page))
    .map((page) => ({
      file: page.split("/").at(-1) ?? "",
      title: /^# (\d+\. .+)$/m.exec(read(page))?.[1] ?? "",
    }));
  expect(titles.filter(({ file, title }) => !index.includes(`- [${title}](${file})`))).toEqual([]);
  const words = titles.map(({ title }) => title.replace(/^\d+\. /, ""));
  expect(words.filter((title, at) => words.indexOf(title) !== at)).toEqual([]);
});
