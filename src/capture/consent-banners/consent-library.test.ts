import autoconsent from "@duckduckgo/autoconsent";
import { Window } from "happy-dom";
import { expect, test, vi } from "vitest";
import { banners } from "../testing/consent-zoo.ts";
import { openConsentLibrary, signsOfCodedRules } from "./consent-library.ts";

test("the signs of the library's coded rules are what these rules look for", async () => {
  const asked = new Set<string>();
  vi.stubGlobal("location", new URL("https://www.tumblr.com/"));
  vi.stubGlobal("window", { location, setTimeout: () => 0 });
  vi.stubGlobal("document", { querySelectorAll: () => [] });
  const note = (message: { type: string; snippetId?: string }) => {
    if (message.type === "eval") asked.add(`${message.snippetId}`);
    return Promise.resolve();
  };
  // Its types are of a CommonJS module, and it is none.
  const AutoConsent = autoconsent as unknown as typeof autoconsent.default;
  const consent = new AutoConsent(note, { enabled: false });
  const noteSelector = (selector: string | string[]) => {
    for (const part of [selector].flat().join().split(",")) asked.add(part);
    return false;
  };
  Object.assign(consent.domActions, { elementExists: noteSelector, elementVisible: noteSelector });
  for (const rule of consent.rules) await Promise.race([rule.detectCmp(), Promise.resolve()]);
  vi.unstubAllGlobals();
  // Looked for only after an answer of the page.
  asked.add("#cmpbox");
  const signs = signsOfCodedRules.flatMap((sign) =>
    "selectors" in sign ? sign.selectors.flatMap((each) => each.split(",")) : sign.question,
  );
  expect([...asked].sort()).toEqual(signs.sort());
  expect(consent.rules.length).toBe(12);
});

test("every rule for a page has a sign, the rules of one site only there", async () => {
  const { signsFor } = await openConsentLibrary();
  const [anywhere, there] = ["https://example.org/", "https://www.acetool.com/"].map(signsFor);
  expect(anywhere?.selectors).toContainEqual(["#catapult-cookie-bar"]);
  expect(there?.selectors.length).toBeGreaterThan(anywhere?.selectors.length ?? 0);
  // A rule without one would send every page that speaks of cookies through the whole library.
  expect(there?.selectors).not.toContainEqual([":root"]);
  expect(anywhere?.questions).toContainEqual(expect.stringContaining("window.Cookiebot"));
});

// opening.browser.test.ts answers some of them in a browser, and all in the long set.
test("the library has a sign for the banner of each of these makers", async () => {
  const { signsFor } = await openConsentLibrary();
  // The parser of this test finds too much with :has().
  const signs = signsFor("https://example.org/").selectors.filter((all) => !all.join().includes(":has("));
  const hasSign = (html: string) => {
    const { document } = new Window();
    document.body.innerHTML = html;
    const isThere = (selector: string) => {
      try {
        return document.querySelector(selector) !== null;
      } catch {
        // A selector that this parser doesn't know.
        return false;
      }
    };
    return signs.some((all) => all.every(isThere));
  };
  const known = Object.entries(banners).flatMap(([name, { html }]) => (hasSign(html) ? [name] : []));
  const makers =
    "onetrust didomi klaro complianz osano termly iubenda cookieyes quantcast tarteaucitron usercentrics axeptio cookiefirst hubspot shopify pandectes fides termsfeed";
  const more = [
    "cookie script",
    "moove (WordPress)",
    "cookieconsent 2",
    "cookieconsent 3",
    "funding choices",
  ];
  expect(known.sort()).toEqual([...makers.split(" "), ...more].sort());
});
