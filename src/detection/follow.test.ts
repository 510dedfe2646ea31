import { expect, test } from "vitest";
import { type Follow, readValues, refuseFollow, rememberLast, type Value } from "./follow.ts";
import type { ContentKind } from "./snapshot.ts";
import { snapshotOf } from "./snapshot-of.ts";

const read = (
  body: string,
  follow: Omit<Follow, "name" | "rule"> & { rule?: string },
  kind: ContentKind = "html",
) => {
  const text = Array.from(body.matchAll(/<p>(.*?)<\/p>/g), ([, line = ""]) => ({
    role: "paragraph" as const,
    area: "",
    text: line,
  }));
  const whole = { ...snapshotOf(body, kind, "http://shop.example/"), text };
  return readValues([{ name: "it", rule: "", ...follow }], whole, whole).it;
};
const page = (body: string, head = "", lang = "en") =>
  `<!doctype html><html lang="${lang}"><head><title>Lamp</title>${head}</head><body><main>${body}</main></body></html>`;
const jsonLd = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const offer = (offers: object) =>
  jsonLd({ "@type": "Product", name: "Lamp", offers: { "@type": "Offer", ...offers } });

test.for<[what: string, body: string, by: Follow["by"], value: Value, rule?: string]>([
  ["JSON-LD", page("", offer({ price: "1234.50" })), "price", { text: "1234.50", number: 1234.5 }],
  ["a number in JSON-LD", page("", offer({ price: 59 })), "price", { text: "59", number: 59 }],
  ["the lowest of an offer", page("", offer({ lowPrice: "7.5" })), "price", { text: "7.5", number: 7.5 }],
  [
    "microdata",
    page('<b itemprop="price" content="59.90">59,90 €</b>'),
    "price",
    { text: "59.90", number: 59.9 },
  ],
  [
    "microdata in words",
    page('<b itemprop="price">1.234,50 €</b>', "", "de"),
    "price",
    { text: "1.234,50 €", number: 1234.5 },
  ],
  [
    "a meta",
    page("", '<meta property="product:price:amount" content="12.00">'),
    "price",
    { text: "12.00", number: 12 },
  ],
  ["no price", page("Lamp"), "price", { text: null, number: null }],
  [
    "JSON-LD",
    page("", offer({ availability: "https://schema.org/InStock" })),
    "availability",
    { text: "in stock", number: null },
  ],
  [
    "microdata",
    page('<link itemprop="availability" href="http://schema.org/OutOfStock">'),
    "availability",
    { text: "out of stock", number: null },
  ],
  [
    "a meta",
    page("", '<meta property="product:availability" content="sold out">'),
    "availability",
    { text: "sold out", number: null },
  ],
  ["the only number", page("<p>Only 12 left</p>"), "number", { text: "Only 12 left", number: 12 }],
  ["one of several numbers", page("<p>12 of 30</p>"), "number", { text: null, number: null }],
  [
    "CSS",
    page('<b class="p">1 234,50 €</b>', "", "fr"),
    "selector",
    { text: "1 234,50 €", number: 1234.5 },
    ".p",
  ],
  ["XPath", page("<b>1</b><b>2</b>"), "selector", { text: "2", number: 2 }, "xpath://b[2]"],
  ["an input's value", page('<input id="q" value="3">'), "selector", { text: "3", number: 3 }, "#q"],
  ["nothing", page("Lamp"), "selector", { text: null, number: null }, ".p"],
  ["a group", page("<p>Price: 59.00 € (was 70)</p>"), "pattern", { text: "70", number: 70 }, "/was (\\d+)/"],
  ["no group", page("<p>Build 4711</p>"), "pattern", { text: "Build 4711", number: 4711 }, "/build \\d+/i"],
])("%s: %s", ([, body, by, value, rule]) => {
  expect(read(body, { by, ...(rule ? { rule } : {}) })).toEqual(value);
});

test("JSON: a number, a text, nothing", () => {
  const file = '{"items":[{"price":59.5,"name":"12 Monkeys","gone":null}]}';
  const at = (path: string) => read(file, { by: "selector", rule: `jsonpath:$.items[0].${path}` }, "json");
  expect(at("price")).toEqual({ text: "59.5", number: 59.5 });
  expect(at("name")).toEqual({ text: "12 Monkeys", number: 12 });
  expect(at("gone")).toEqual({ text: null, number: null });
  expect(at("none")).toEqual({ text: null, number: null });
});

test("a number that is missing for a while is remembered", () => {
  const gone = rememberLast({ price: { text: null, number: null } }, { price: { text: "59", number: 59 } });
  expect(gone).toEqual({ price: { text: null, number: null, last: 59 } });
  expect(rememberLast({ price: { text: null, number: null } }, gone)).toEqual(gone);
  expect(rememberLast({ price: { text: "60", number: 60 } }, gone)).toEqual({
    price: { text: "60", number: 60 },
  });
});

test("a rule that cannot be understood is refused", () => {
  const refuse = (by: Follow["by"], rule: string) => refuseFollow([{ name: "it", by, rule }])?.reason;
  expect(refuse("price", "")).toBeUndefined();
  expect(refuse("selector", "")).toBe("Say where it stands.");
  expect(refuse("selector", "p[")).toContain("not a CSS selector");
  expect(refuse("pattern", "Price")).toContain("between slashes");
  expect(refuse("pattern", "/(/")).toContain("not a pattern");
});
