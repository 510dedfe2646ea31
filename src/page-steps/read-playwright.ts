import { type Expression, type ObjectExpression, type Node as ParsedNode, parse } from "acorn";
import { type PageStep, PageSteps } from "#contract/page-steps.ts";

type Found = { title: string; steps: PageStep[]; refused: string[] };
type Call = { name: string; args: Expression[] };
/** A chain such as page.getByRole(…).click(), from its beginning. */
type Chain = { root: string; calls: Call[]; line: number };

const maxCalls = 200;
/** Fifty steps take less than a fifth of it; reading more would keep other calls waiting. */
const maxCode = 100_000;

/** Reads a test made by Playwright's codegen, in JavaScript or TypeScript. Its code is only read, never run. */
export function readPlaywright(text: string): Found {
  if (text.length > maxCode)
    return {
      title: "",
      steps: [],
      refused: [`This code is longer than ${maxCode.toLocaleString("en")} characters. Paste one test only.`],
    };
  let chains: Chain[];
  try {
    const program = parse(text, {
      ecmaVersion: "latest",
      sourceType: "module",
      locations: true,
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    });
    chains = findChains(program);
  } catch {
    const isPython = /\b(?:from|import) playwright\b|\bpage\.get_by_/.test(text);
    const reason = isPython
      ? "This is Playwright’s Python code. Choose JavaScript as the target in codegen."
      : "This can’t be read as JSON of the DevTools Recorder, nor as JavaScript of Playwright’s codegen.";
    return { title: "", steps: [], refused: [reason] };
  }
  const steps: PageStep[] = [];
  const refused: string[] = [];
  for (const chain of chains) {
    const made = toSteps(chain);
    if (typeof made === "string") refused.push(`Line ${chain.line} is left out: ${made}`);
    else steps.push(...made);
  }
  return { title: "", steps, refused };
}

/** The awaited calls on pages, in the order in which they are written; in linear time. */
function findChains(program: ParsedNode): Chain[] {
  const chains: Chain[] = [];
  const pending: unknown[] = [program];
  while (pending.length > 0 && chains.length < maxCalls) {
    const node = pending.pop();
    if (!isNode(node)) continue;
    if (node.type === "AwaitExpression") {
      const chain = toChain((node as ParsedNode & { argument: Expression }).argument);
      if (chain) {
        chains.push(chain);
        continue;
      }
    }
    for (const part of Object.values(node).flat().reverse()) pending.push(part);
  }
  return chains;
}

const isNode = (value: unknown): value is ParsedNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

function toChain(expression: Expression): Chain | null {
  const calls: Call[] = [];
  let at: ParsedNode = expression;
  while (at.type === "CallExpression") {
    const { callee, arguments: args } = at as Extract<Expression, { type: "CallExpression" }>;
    if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") {
      if (callee.type !== "Identifier") return null;
      return calls.length > 0
        ? { root: callee.name, calls: calls.reverse(), line: lineOf(expression) }
        : null;
    }
    calls.push({ name: callee.property.name, args: args as Expression[] });
    at = callee.object;
  }
  return at.type === "Identifier"
    ? { root: (at as ParsedNode & { name: string }).name, calls: calls.reverse(), line: lineOf(expression) }
    : null;
}

const lineOf = (node: ParsedNode) => node.loc?.start.line ?? 0;

const waits = new Set(["waitForLoadState", "waitForTimeout", "waitForEvent"]);

function toSteps({ root, calls }: Chain): PageStep[] | string {
  if (root === "expect") return "it checks something, which the conditions of a job do.";
  if (root === "context" || root === "browser") return "the browser is set up by the job’s settings.";
  const last = calls.at(-1);
  if (!last) return [];
  const [first] = last.args;
  if (calls.length === 1) return onPage(last);
  if (waits.has(last.name)) return "steps wait by conditions, not for a time.";
  const found = toElement(calls.slice(0, -1));
  if (typeof found === "string") return found;
  return onElement(last.name, first, found);
}

function onPage({ name, args }: Call): PageStep[] | string {
  const [first] = args;
  const text = textOf(first);
  if (name === "goto") return checked({ type: "navigate", url: text });
  if (name === "waitForURL")
    return checked({
      type: "customStep",
      name: "waitForUrl",
      parameters: { url: (text ?? "").replaceAll("**", "*") },
    });
  if (name === "waitForSelector") return checked({ type: "waitForElement", selectors: [[text]] });
  if (["click", "dblclick", "hover", "fill", "check", "press", "selectOption"].includes(name) && text)
    return onElement(name, args[1], { selectors: [[text]] });
  if (name === "setViewportSize") {
    const size = propertiesOf(first);
    return checked({
      type: "setViewport",
      width: numberOf(size.get("width")),
      height: numberOf(size.get("height")),
    });
  }
  if (waits.has(name)) return "steps wait by conditions, not for a time.";
  if (name === "close") return "the page stays open for the capture.";
  return `“${name}” can’t be run here.`;
}

type Target = { selectors: (string | undefined)[][] };

/** The element that a chain of locators stands for. */
function toElement(calls: Call[]): Target | string {
  const usable = calls.filter(({ name }) => name !== "first");
  const [call, ...others] = usable;
  if (!call) return "it doesn’t say which element it uses.";
  const unable = /frame/i.test(call.name) ? call : others[0];
  if (unable)
    return `“.${unable.name}()” can’t be imported. Write a CSS selector for the element in the step.`;
  const [first, options] = call.args;
  const text = textOf(first);
  if (text === undefined) return "its element is found by a pattern. Write a CSS selector in the step.";
  const quoted = JSON.stringify(text);
  const byAttribute = (name: string): Target => ({ selectors: [[`[${name}=${quoted}]`]] });
  switch (call.name) {
    case "getByRole": {
      const name = textOf(propertiesOf(options).get("name")) ?? "";
      return { selectors: [[`aria/${name}[role="${text}"]`]] };
    }
    case "getByLabel":
      return { selectors: [[`aria/${text}`], [`[aria-label=${quoted}]`]] };
    case "getByText":
      return { selectors: [[`text/${text}`]] };
    case "getByPlaceholder":
      return byAttribute("placeholder");
    case "getByTestId":
      return byAttribute("data-testid");
    case "getByTitle":
      return byAttribute("title");
    case "getByAltText":
      return byAttribute("alt");
    case "locator":
      return { selectors: [[text.replace(/^css=/, "").replace(/^(?:xpath=)?(\/\/)/, "xpath/$1")]] };
    default:
      return `“.${call.name}()” can’t be imported. Write a CSS selector for the element in the step.`;
  }
}

function onElement(name: string, first: Expression | undefined, target: Target): PageStep[] | string {
  const text = textOf(first);
  switch (name) {
    case "click":
    case "check":
    case "uncheck":
    case "tap":
      return checked({ type: "click", ...target });
    case "dblclick":
      return checked({ type: "doubleClick", ...target });
    case "hover":
      return checked({ type: "hover", ...target });
    case "fill":
    case "type":
    case "pressSequentially":
    case "selectOption":
      return text === undefined
        ? "what it enters isn’t written as text."
        : checked({ type: "change", ...target, value: text });
    case "press": {
      const keys = (text ?? "").split("+");
      const held = keys.slice(0, -1).map((key) => (key === "ControlOrMeta" ? "Control" : key));
      const key = keys.at(-1) ?? "";
      return checked(
        ...held.map((held) => ({ type: "keyDown", key: held })),
        { type: "keyDown", key },
        ...held.toReversed().map((held) => ({ type: "keyUp", key: held })),
      );
    }
    case "waitFor":
      return checked({ type: "waitForElement", ...target });
    default:
      return `“.${name}()” can’t be run here.`;
  }
}

function checked(...steps: object[]): PageStep[] | string {
  const read = PageSteps.safeParse(steps);
  return read.success ? read.data : (read.error.issues[0]?.message ?? "it can’t be read.");
}

/** A text that is written out; undefined for anything that would have to be computed. */
function textOf(node: Expression | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

const numberOf = (node: Expression | undefined) =>
  node?.type === "Literal" && typeof node.value === "number" ? node.value : undefined;

function propertiesOf(node: Expression | undefined): Map<string, Expression> {
  const properties = node?.type === "ObjectExpression" ? (node as ObjectExpression).properties : [];
  return new Map(
    properties.flatMap((property) =>
      property.type === "Property" && property.key.type === "Identifier"
        ? [[property.key.name, property.value as Expression] as const]
        : [],
    ),
  );
}
