import { readFileSync } from "node:fs";
import type { AutoConsentCMPRule, AutoConsentRuleStep } from "@duckduckgo/autoconsent";

/** How to answer: "hide" doesn't click at all. */
export type ConsentAnswer = "reject" | "accept" | "hide";

/** The rules and functions of autoconsent, as they are needed in a page. */
export type ConsentLibrary = {
  /** A function that puts the library's parts into an isolated world. */
  source: string;
  /** The rules that may apply to a page. */
  rulesFor: (url: string, isTop: boolean, answer: ConsentAnswer) => object;
  /** What has to be true of a page if one of its rules is to apply. */
  signsFor: (url: string) => ConsentSigns;
  /** The source of one of the library's questions to the page's own scripts. */
  snippet: (name: string) => string | undefined;
};

/**
 * Groups of selectors that all have to exist, of one group at least, or functions of which one has to say yes in the
 * page's own world.
 */
type ConsentSigns = { selectors: string[][]; questions: string[] };

type FullRule = { name: string; runContext?: { main?: boolean; frame?: boolean; urlPattern?: string } };

/** Functions inside the library that it doesn't export; a test notices if a new version has none of that name. */
const innerParts = ["getPotentialPopups", "isExcludedPopup", "classifyButtons", "isElementVisible"];

type Sign = { selectors: string[] } | { question: string };

/** What the rules that the library has as code look for; a test compares this list with the library. */
export const signsOfCodedRules: Sign[] = [
  ...[
    "#truste-show-consent,#truste-consent-track",
    "#cmpbox",
    "#_evidon_banner",
    "#onetrust-banner-sdk",
    "#onetrust-pc-sdk",
    ".klaro > .cookie-modal",
    ".klaro > .cookie-notice",
    ".unic .unic-box,.unic .unic-bar,.unic .unic-modal",
    ".cmp-root .cmp-receptacle",
    "tiktok-cookie-banner",
    "#cmp-app-container",
    "div > div[class*=Card] > div[class*=Frame] > div[class*=Pills] > button[class*=Pills__StyledPill]",
  ].map((selector) => ({ selectors: [selector] })),
  { question: "EVAL_COOKIEBOT_1" },
  { question: "EVAL_CONSENTMANAGER_1" },
];

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
  const { decodeRules, filterCompactRules, evalSnippets } = await import("@duckduckgo/autoconsent");
  const compact = JSON.parse(read("rules/compact-rules.json"));
  const snippets = evalSnippets as Record<string, () => unknown>;
  const rules = decodeRules(compact).filter(({ runContext }) => runContext?.main !== false);
  const patternOf = ({ runContext }: AutoConsentCMPRule) => runContext?.urlPattern ?? "";
  const rulesOfSites = rules
    .filter(patternOf)
    .map((rule) => ({ pattern: new RegExp(patternOf(rule)), signs: signsOfRule(rule) }));
  const sourceOf = (name: string) => (Object.hasOwn(snippets, name) ? snippets[name]?.toString() : undefined);
  const toSigns = (signs: Sign[]): ConsentSigns => ({
    selectors: signs.flatMap((sign) => ("selectors" in sign ? [sign.selectors] : [])),
    questions: signs.flatMap((sign) => ("question" in sign ? (sourceOf(sign.question) ?? []) : [])),
  });
  const everywhere = [...signsOfCodedRules, ...rules.filter((rule) => !patternOf(rule)).flatMap(signsOfRule)];
  const signsEverywhere = toSigns(everywhere);
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
    signsFor(url) {
      const here = rulesOfSites.filter(({ pattern }) => pattern.test(url)).flatMap(({ signs }) => signs);
      return here.length > 0 ? toSigns([...everywhere, ...here]) : signsEverywhere;
    },
    snippet: sourceOf,
  };
}

/** What has to be true if a rule is to apply: its first step, and what else it looks for. */
function signsOfRule({ detectCmp }: AutoConsentCMPRule): Sign[] {
  const [first, ...more] = detectCmp.filter(({ optional }) => !optional);
  const alsoSelected = more.flatMap((step) => (step.negated ? [] : selectorOf(step)));
  return signsOfStep(first).map((sign) =>
    "selectors" in sign ? { selectors: [...sign.selectors, ...alsoSelected] } : sign,
  );
}

function signsOfStep(step: AutoConsentRuleStep | undefined): Sign[] {
  if (step?.any && !step.negated) return step.any.flatMap(signsOfStep);
  if (step?.eval && !step.negated) return [{ question: step.eval }];
  const selectors = step && !step.negated ? selectorOf(step) : [];
  return [{ selectors: selectors.length > 0 ? selectors : [":root"] }];
}

/** A list leads into frames and shadow roots; its first selector is the page's own. */
const selectorOf = ({ exists, visible }: AutoConsentRuleStep): string[] =>
  [exists ?? visible ?? []].flat().slice(0, 1);

function appliesTo({ runContext = {} }: FullRule, url: string, isTop: boolean): boolean {
  const { main = true, frame = false, urlPattern = "" } = runContext;
  return (isTop ? main : frame) && (urlPattern === "" || new RegExp(urlPattern).test(url));
}
