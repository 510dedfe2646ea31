import { describe, expect, test } from "vitest";
import {
  findStandIn,
  recognizeErrorWall,
  recognizeStandIn,
  type StandIn,
  textLengthOf,
} from "./recognize-stand-in.ts";
import { sketchText } from "./text-sketch.ts";

type Seen = Parameters<typeof findStandIn>[0];

function page({ text = "", ...rest }: Partial<Omit<Seen, "text">> & { text?: string } = {}): Seen {
  return {
    status: 200,
    title: "Shop",
    html: `<main>${text}</main>`,
    finalUrl: "https://example.com/page",
    ...rest,
    text: text === "" ? [] : [{ role: "paragraph", area: "", text }],
  };
}
/** A page with a thousand characters. */
const before = { finalUrl: "https://example.com/page", textLength: 1_000 };
/** The same page when it was short already. */
const short = { ...before, textLength: 120 };

const recognized: [StandIn, string, Seen, typeof before][] = [
  [
    "maintenance",
    "title and words",
    page({ title: "Maintenance", text: "We are down for maintenance." }),
    short,
  ],
  ["maintenance", "words, and most of the text is gone", page({ text: "We'll be back soon!" }), before],
  ["maintenance", "German", page({ title: "Wartung", text: "Wegen Wartungsarbeiten geschlossen." }), short],
  [
    "maintenance",
    "a redirect",
    page({ finalUrl: "https://example.com/maintenance", title: "Maintenance" }),
    short,
  ],
  ["geo-block", "words and size", page({ text: "This service is not available in your country." }), before],
  [
    "geo-block",
    "title and words",
    page({
      title: "Not available in your region",
      text: "Visitors from your region are blocked, it is not available in your region.",
    }),
    short,
  ],
  [
    "rate-limit",
    "title and words",
    page({ title: "Too many requests", text: "Rate limit exceeded." }),
    short,
  ],
  ["rate-limit", "words and size", page({ text: "Too many requests. Please try again later." }), before],
  [
    "parked",
    "markup and words",
    page({ text: "This domain is for sale.", html: '<script src="https://img.sedoparking.com/x.js">' }),
    short,
  ],
  ["parked", "title and size", page({ title: "Domain for sale", text: "example.com" }), before],
  [
    "missing",
    "title and words",
    page({ title: "404", text: "The page you are looking for is gone." }),
    short,
  ],
  ["missing", "words and size", page({ text: "Sorry, this page doesn't exist." }), before],
  ["missing", "French", page({ title: "Page introuvable", text: "Retour à l'accueil" }), before],
  ["captcha", "a request to click", page({ text: "Click the button below to continue shopping" }), before],
  ["captcha", "a request to hold", page({ title: "Security check", text: "Press & Hold" }), short],
  ["captcha", "a request to show who one is", page({ text: "Verify your identity to continue" }), before],
  ["captcha", "French", page({ text: "Cliquez sur le bouton ci-dessous pour continuer vos achats" }), before],
  [
    "error",
    "words and size",
    page({ text: "This page isn’t available. An unexpected error has occurred. Try reloading the page." }),
    before,
  ],
  [
    "error",
    "title and words",
    page({ title: "Default Error Page", text: "Sorry, we are having a problem executing your request." }),
    short,
  ],
  ["error", "a redirect", page({ finalUrl: "https://example.com/error.html", title: "Oops!" }), short],
  ["error", "German", page({ title: "Fehler", text: "Es ist ein technischer Fehler aufgetreten." }), short],
  ["missing", "curly quotes", page({ text: "Sorry, this page doesn’t exist." }), before],
  [
    "empty",
    "an application that wrote nothing",
    page({ html: '<div id="root"></div><script src="/app.js">' }),
    before,
  ],
];

test.for(recognized)("%s is recognized (%s)", ([kind, , seen, earlier]) => {
  expect(findStandIn(seen, earlier)).toBe(kind);
  expect(recognizeStandIn(seen, earlier)).toEqual({ kind, sentence: expect.stringMatching(/^The .+\.$/) });
  // A page that already was one when the job began is what the job watches.
  expect(recognizeStandIn(seen, { ...earlier, standIn: kind })).toBeNull();
  expect(recognizeStandIn(seen, null)).toBeNull();
});

const story = "Many words about everything and nothing. ".repeat(50);
test.for<[string, Seen]>([
  ["a long page about maintenance", page({ title: "Maintenance", text: `${story}Down for maintenance.` })],
  [
    "one sign alone",
    page({ text: "Our page about maintenance windows. See the page not found report. ".repeat(8) }),
  ],
  ["a page that got much shorter", page({ text: "Sold out" })],
  ["a page that lost all text and is no application", page({ html: "<main></main>" })],
  ["an error, which is judged by its status", page({ status: 404, title: "404", text: "Page not found" })],
  ["a shop that is out of order", page({ text: `${story}An unexpected error has occurred.` })],
  ["a page that asks for a click and little else", page({ text: "Click the button below to subscribe" })],
  ["a price that fell", page({ text: "Tent: 389 €" })],
])("%s is a page", ([, seen]) => {
  expect(findStandIn(seen, before)).toBeNull();
});

describe("similarity to the last capture", () => {
  const lines = (...texts: string[]) => texts.map((text) => ({ role: "paragraph" as const, area: "", text }));
  const shop = lines("Fjell lamp", "389 €", "In stock", "Delivery in 3 days", "Write to us", "About");
  const earlier = { ...before, textLength: 60, textSketch: sketchText(shop) };

  test("a notice on a page that still has its text is no stand-in", () => {
    const notice = lines("Scheduled maintenance on Sunday. We'll be back soon.");
    const title = "Maintenance on Sunday";
    expect(findStandIn({ ...page({ title }), text: [...shop, ...notice] }, earlier)).toBeNull();
    expect(findStandIn({ ...page({ title }), text: notice }, earlier)).toBe("maintenance");
  });

  test("one sign is enough if nothing is left of a short page", () => {
    const gone = lines("Sorry, this page doesn't exist.");
    expect(findStandIn({ ...page(), text: gone }, { ...before, textLength: 60 })).toBeNull();
    expect(findStandIn({ ...page(), text: gone }, earlier)).toBe("missing");
  });
});

describe("a page without its content", () => {
  const block = (area: string, text: string) => ({ role: "item" as const, area, text });
  const menu = ["Home", "Prices", "About us", "Sign in", "Imprint", "Privacy"].map((text, at) =>
    block(at < 4 ? "nav" : "footer", text),
  );
  const notice = block("", "We deliver from Monday to Friday.");
  const content = Array.from({ length: 40 }, (_, at) =>
    block("", `Paragraph ${at}. ${"Terms of use. ".repeat(5)}`),
  );
  const whole = [...menu, notice, ...content];
  const earlier = { ...before, textLength: textLengthOf(whole), textSketch: sketchText(whole) };

  test("is recognized when nothing but its menus is left", () => {
    const sentence = "The page arrived without its content.";
    expect(recognizeStandIn({ ...page(), text: [...menu, notice] }, earlier)).toEqual({
      kind: "empty",
      sentence,
    });
  });

  test.for<[string, (typeof menu)[number][], typeof earlier]>([
    ["a page that says why", [...menu, block("", "We have no open positions.")], earlier],
    ["a page whose menu says something new", [...menu, block("nav", "Jobs")], earlier],
    ["a page with some of its content", [...menu, ...content.slice(0, 5)], earlier],
    ["content without menus", content.slice(0, 3), earlier],
    ["a page that never had much", menu, { ...before, textLength: 300, textSketch: sketchText(menu) }],
    ["an old capture without a sketch", menu, { ...before, textLength: 3_000, textSketch: [] }],
  ])("%s is a page", ([, text, last]) => {
    expect(findStandIn({ ...page(), text }, last)).toBeNull();
  });
});

test.for<[number, string, Partial<Parameters<typeof page>[0]>, [string, string][], string | null]>([
  [401, "with a challenge", {}, [["www-authenticate", "Basic"]], "login"],
  [401, "alone", {}, [], null],
  [451, "alone", {}, [], "geo-block"],
  [403, "with words", { text: "Not available in your country." }, [], "geo-block"],
  [403, "alone", { text: "Forbidden" }, [], null],
  [429, "alone", {}, [], "rate-limit"],
  [503, "with words", { text: "We are down for maintenance." }, [], "maintenance"],
  [503, "with Retry-After", {}, [["retry-after", "60"]], "maintenance"],
  [503, "alone", { text: "Service unavailable" }, [], null],
  [500, "with words", { text: "We are down for maintenance." }, [], null],
])("status %s %s", ([status, , part, headers, kind]) => {
  expect(recognizeErrorWall({ ...page(part), status, headers }, false)?.kind ?? null).toBe(kind);
});
