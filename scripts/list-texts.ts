// Lists every text that a user can read, by feature, so that a person can read them all in one sitting. `npm run texts`
// writes them to docs/texts.md, and `npm run check` fails while that page is out of date.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseSync } from "oxc-parser";

type Node = { type: string; start: number; end: number; [key: string]: unknown };

const page = "docs/texts.md";
const command = "npm run texts";

// Attributes of markup, and properties of objects, whose value is shown even if it is a single word.
const shownNames = new Set([
  "title",
  "heading",
  "label",
  "placeholder",
  "aria-label",
  "alt",
  "action",
  "note",
  "hint",
  "description",
  "problem",
  "text",
]);

/** The texts of one file in their order: markup, shown attributes, and strings that read like a sentence. */
export function listTexts(file: string, code: string): string[] {
  const found: string[] = [];
  visit(parseSync(file, code).program as unknown as Node, "", false);
  return found;

  function add(text: string): void {
    const line = text.replace(/\s+/g, " ").trim();
    const isCode = /^[A-Z]+(_[A-Z]+)+$/.test(line);
    if (/\p{L}{2}/u.test(line) && !isCode && !found.includes(line)) found.push(line);
  }

  function visit(node: Node, name: string, isInLine: boolean): void {
    if (node.type === "ImportDeclaration" || node.type === "TSLiteralType") return;
    if (node.type === "TaggedTemplateExpression") return;
    if (node.type === "NewExpression" && (node.callee as Node).name === "Error") return;
    const isLine = hasWords(node);
    if (isLine && !isInLine) add(lineOf(node));
    const isShown = name === "" || shownNames.has(name);
    if (node.type === "Literal" && typeof node.value === "string" && isShown) {
      if (name !== "" || readsLikeText(node.value)) add(node.value);
    }
    if (node.type === "TemplateLiteral" && isShown) {
      const text = textOfTemplate(node);
      if (name !== "" || readsLikeText(text)) add(text);
    }
    const inside = nameFor(node) ?? (resetsName(node) ? "" : name);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) visit(child, inside, isLine || (isInLine && isMarkup(child)));
    }
  }
}

const textOfTemplate = (node: Node): string =>
  (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");

/** The attribute that a node sets, or the property if its value is shown. */
function nameFor(node: Node): string | undefined {
  if (node.type === "JSXAttribute") return String((node.name as Node).name);
  const key = node.type === "Property" ? String((node.key as Node).name) : "";
  return shownNames.has(key) ? key : undefined;
}

const resetsName = ({ type }: Node): boolean =>
  /^JSX(Element|Fragment)$|^(Call|Object)Expression$/.test(type);

const isMarkup = ({ type }: Node): boolean => /^JSX(Element|Fragment|Text)$/.test(type);

/** Whether words stand directly in an element: then everything in it is read as one line. */
const hasWords = (node: Node): boolean =>
  isMarkup(node) &&
  ((node.children as Node[] | undefined) ?? []).some(
    (child) => child.type === "JSXText" && /\p{L}{2}/u.test(String(child.value)),
  );

/** An element's words, with … for each value in between. */
function lineOf(node: Node): string {
  // A line break at the ends of a text isn't shown.
  if (node.type === "JSXText") return String(node.value).replace(/^\s*\n\s*|\s*\n\s*$/g, "");
  if (isMarkup(node)) return (node.children as Node[]).map(lineOf).join("");
  if (node.type !== "JSXExpressionContainer") return "";
  const expression = node.expression as Node;
  if (expression.type === "Literal" && typeof expression.value === "string") return expression.value;
  return expression.type === "JSXEmptyExpression" ? "" : "…";
}

/** Whether a string is prose: two words or more, not a list of classes, a selector, a path or a statement. */
function readsLikeText(text: string): boolean {
  if (
    !/\p{L}.* .*\p{L}/u.test(text) ||
    /[{}<>;=|\\]|--|\/\*|:\/\/|^\s*(select|insert|update|delete) |^[Mm][\d.]+ ?[\d.-]/.test(text)
  )
    return false;
  const words = text.trim().split(/\s+/);
  if (words.filter((word) => /^[a-z]+[A-Z]/.test(word)).length > 1) return false;
  const codeLike = words.filter((word) => /\w[-_:/[(]\w|^[.#@[]/.test(word)).length;
  return codeLike / words.length < 0.3;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

// What is no text for readers: vocabularies and names that pages are compared with, and what browsers say to us.
const notTexts =
  /\.test\.|\/(testing|migrations|vocabularies|devtools-protocol|html-parsing|third-party-hosts|snapshot)\/|\/(fonts|identity|known-tags|icon|mask-now|content-features|zones|pick-selector)\.tsx?$|\.d\.ts$/;

const parts: [heading: string, files: RegExp][] = [
  ["Screens", /^src\/web\//],
  [
    "Alerts, emails and messages",
    /^src\/(alerts|channels|digests|mail|message-templates|telegram-bot|triggers|feeds|reports|billing|noise-feedback)\//,
  ],
  ["API", /^src\/(contract|agents|server\/(openapi|routes|request-handling))\//],
  ["Command line", /^src\/(cli|client)\//],
  ["Verifier of exports", /^src\/evidence\//],
  ["For operators", /^(scripts\/ops|src\/server|src\/storage|src\/queue)/],
  ["Results of checks, and answers to settings", /./],
];

/** The whole page: parts, folders, files, and the texts of each file. */
function writePage(files: string[], read: (file: string) => string): string {
  const lines = [
    "# All texts",
    "",
    `Every text that users read, for reading them aloud from start to end. Written by \`${command}\`; don't edit it.`,
    "A … stands for a value.",
  ];
  const headingOf = (file: string) => parts.find(([, pattern]) => pattern.test(file))?.[0];
  for (const [heading] of parts) {
    lines.push("", `## ${heading}`);
    let folder = "";
    for (const file of files.filter((one) => headingOf(one) === heading)) {
      const texts = listTexts(file, read(file));
      if (texts.length === 0) continue;
      if (dirname(file) !== folder) {
        folder = dirname(file);
        lines.push("", `### ${folder.replace(/^src\/(web\/)?(features\/)?/, "")}`);
      }
      lines.push("", file.slice(folder.length + 1), ...texts.map((text) => `- ${text}`));
    }
  }
  return `${lines.join("\n")}\n`;
}

if (import.meta.main) {
  const files = ["src", "scripts/ops"]
    .flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => `${root}/${name}`),
    )
    .concat("scripts/ops.ts")
    .filter((file) => /\.tsx?$/.test(file) && !notTexts.test(file))
    .toSorted();
  const text = writePage(files, (file) => readFileSync(file, "utf8"));
  if (!process.argv.includes("--check")) writeFileSync(page, text);
  else if (readFileSync(page, "utf8") !== text) {
    console.log(`${page} doesn't have the texts of the code. Run \`${command}\` and commit the page.`);
    process.exit(1);
  }
}
