// Lists every text that a user can read, by folder, so that a person can read them all in one sitting:
// `npm run texts` prints them as Markdown, `npm run texts -- src/web` those of one folder.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseSync } from "oxc-parser";

type Node = { type: string; start: number; end: number; [key: string]: unknown };

const shownAttributes = new Set([
  "title",
  "label",
  "placeholder",
  "aria-label",
  "alt",
  "action",
  "note",
  "hint",
  "description",
]);

/** The texts of one file in their order: markup, shown attributes, and strings that read like a sentence. */
export function listTexts(file: string, code: string): string[] {
  const found: string[] = [];
  visit(parseSync(file, code).program as unknown as Node, "");
  return found;

  function add(text: string): void {
    const line = text.replace(/\s+/g, " ").trim();
    if (/\p{L}{2}/u.test(line) && !found.includes(line)) found.push(line);
  }

  function visit(node: Node, attribute: string): void {
    if (node.type === "ImportDeclaration" || node.type === "TSLiteralType") return;
    if (node.type === "TaggedTemplateExpression") return;
    if (node.type === "NewExpression" && (node.callee as Node).name === "Error") return;
    if (node.type === "JSXText") add(node.value as string);
    const isShown = attribute === "" || shownAttributes.has(attribute);
    if (node.type === "Literal" && typeof node.value === "string" && isShown) {
      if (attribute !== "" || readsLikeText(node.value)) add(node.value);
    }
    if (node.type === "TemplateLiteral" && isShown) {
      const text = (node.quasis as { value: { cooked: string } }[])
        .map(({ value }) => value.cooked)
        .join("…");
      if (readsLikeText(text)) add(text);
    }
    const name = node.type === "JSXAttribute" ? String((node.name as Node).name) : undefined;
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) visit(child, name ?? (node.type === "JSXElement" ? "" : attribute));
    }
  }
}

/** Whether a string is prose: two words or more, not a list of classes, a selector, a path or a statement. */
function readsLikeText(text: string): boolean {
  if (
    !/\p{L}.* .*\p{L}/u.test(text) ||
    /[{}<>;=|\\]|--|\/\*|:\/\/|^\s*(select|insert|update|delete) /.test(text)
  )
    return false;
  const words = text.trim().split(/\s+/);
  const codeLike = words.filter((word) => /\w[-_:/[(]\w|^[.#@[]/.test(word)).length;
  return codeLike / words.length < 0.3;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

if (import.meta.main) {
  const folders = process.argv.slice(2);
  const files = execFileSync("git", ["ls-files", ...(folders.length > 0 ? folders : ["src"])], {
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\/|\/migrations\/|\.d\.ts$/.test(file));
  let folder = "";
  for (const file of files) {
    const texts = listTexts(file, readFileSync(file, "utf8"));
    if (texts.length === 0) continue;
    if (dirname(file) !== folder) {
      folder = dirname(file);
      process.stdout.write(`\n## ${folder}\n`);
    }
    process.stdout.write(
      `\n${file.slice(folder.length + 1)}\n${texts.map((text) => `- ${text}\n`).join("")}`,
    );
  }
}
