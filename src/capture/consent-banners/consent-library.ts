import { readFileSync } from "node:fs";

/** How to answer: "hide" doesn't click at all. */
export type ConsentAnswer = "reject" | "accept" | "hide";

/** The rules and functions of autoconsent, as they are needed in a page. */
export type ConsentLibrary = {
  /** A function that puts the library's parts into an isolated world. */
  source: string;
  /** The rules that may apply to a page. */
  rulesFor: (url: string, isTop: boolean, answer: ConsentAnswer) => object;
  /** The source of one of the library's questions to the page's own scripts. */
  snippet: (name: string) => string | undefined;
};

type FullRule = { name: string; runContext?: { main?: boolean; frame?: boolean; urlPattern?: string } };

/** Functions inside the library that it doesn't export; a test notices if a new version has none of that name. */
const innerParts = ["getPotentialPopups", "isExcludedPopup", "classifyButtons", "isElementVisible"];

const folder = new URL("../", import.meta.resolve("@duckduckgo/autoconsent"));
const read = (path: string) => readFileSync(new URL(path, folder), "utf8");

export const consentRulesVersion = (JSON.parse(read("package.json")) as { version: string }).version;

let opened: Promise<ConsentLibrary> | undefined;

/** Loads the library when the first page may have a banner. */
export function openConsentLibrary(): Promise<ConsentLibrary> {
  opened ??= open();
  return opened;
}

async function open(): Promise<ConsentLibrary> {
  const { filterCompactRules, evalSnippets } = await import("@duckduckgo/autoconsent");
  const compact = JSON.parse(read("rules/compact-rules.json"));
  const snippets = evalSnippets as Record<string, () => unknown>;
  let full: FullRule[] | undefined;
  return {
    source: `() => {
      const module = { exports: {} };
      ${read("dist/autoconsent.cjs.js")}
      globalThis.consentParts = { AutoConsent: module.exports.default, ${innerParts.join()} };
    }`,
    rulesFor(url, isTop, answer) {
      if (answer !== "accept") return { compact: filterCompactRules(compact, { url, mainFrame: isTop }) };
      // The compact rules leave out how to accept.
      full ??= (JSON.parse(read("rules/rules.json")) as { autoconsent: FullRule[] }).autoconsent;
      return { autoconsent: full.filter((rule) => appliesTo(rule, url, isTop)) };
    },
    snippet: (name) => (Object.hasOwn(snippets, name) ? snippets[name]?.toString() : undefined),
  };
}

function appliesTo({ runContext = {} }: FullRule, url: string, isTop: boolean): boolean {
  const { main = true, frame = false, urlPattern = "" } = runContext;
  return (isTop ? main : frame) && (urlPattern === "" || new RegExp(urlPattern).test(url));
}
