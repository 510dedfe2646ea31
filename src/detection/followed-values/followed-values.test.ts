import { expect, test } from "vitest";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { ContentKind } from "../snapshot/snapshot.ts";
import type { Verdict } from "../verdict/verdict.ts";
import {
  addAlertedNumbers,
  addLastNumbers,
  type Follow,
  readValues,
  settleAlerted,
  type Value,
  validateFollowedValues,
} from "./followed-values.ts";

const read = (
  body: string,
  follow: Omit<Follow, "name" | "rule"> & { rule?: string },
  kind: ContentKind = "html",
) => {
  const text = Array.from(body.matchAll(/<p>(.*?)<\/p>/g), ([, line = ""]) => ({
    role: "paragraph" as const,
    area: "",
    text: line.replace(/<[^>]+>/g, ""),
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
  [
    "the lowest price of an offer",
    page("", offer({ lowPrice: "7.5" })),
    "price",
    { text: "7.5", number: 7.5 },
  ],
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
    "a meta element",
    page("", '<meta property="product:price:amount" content="12.00">'),
    "price",
    { text: "12.00", number: 12 },
  ],
  ["no price", page("Lamp"), "price", { text: null, number: null }],
  ["a visible price", page('<p class="price">€ 45.40</p>'), "price", { text: "€ 45.40", number: 45.4 }],
  [
    "a visible price, not the old one, shipping or another product's",
    page(
      '<div class="related"><b class="price">$9.00</b></div><h1>Lamp</h1><i class="shipping-price">$4.00</i>' +
        '<p class="price"><del>£20.00</del> <ins>£15.00</ins></p><p class="price">£99.00</p>',
    ),
    "price",
    { text: "£15.00", number: 15 },
  ],
  [
    "a price without a name",
    page("<h1>Lamp</h1><div>Only <span>45,40 €</span></div>"),
    "price",
    { text: "Only 45,40 €", number: 45.4 },
  ],
  [
    "a visible price, whatever parts of its names are other words",
    page('<div class="washing-machine gold"><b class="price font-bold">€ 45.40</b></div>'),
    "price",
    { text: "€ 45.40", number: 45.4 },
  ],
  [
    "WooCommerce's reduced price, not the old one for screen readers",
    page(
      '<p class="price"><del>€60.00</del> <span class="screen-reader-text">Original price was: €60.00.</span>' +
        '<ins>€45.40</ins><span class="screen-reader-text">Current price is: €45.40.</span></p>',
    ),
    "price",
    { text: "€45.40", number: 45.4 },
  ],
  [
    "Shopify's reduced price, although the regular one comes first",
    page(
      '<div class="price price--on-sale"><div class="price__regular"><b class="price-item--regular">$60.00</b></div>' +
        '<div class="price__sale"><s>$60.00</s> <b class="price-item--sale">$45.40</b></div></div>',
    ),
    "price",
    { text: "$45.40", number: 45.4 },
  ],
  [
    "the regular price, if nothing is reduced",
    page('<div class="price__regular">Regular price <b class="price-item--regular">$45.40</b></div>'),
    "price",
    { text: "Regular price $45.40", number: 45.4 },
  ],
  [
    "a price beside what is struck out by style, the price of a unit and of shipping",
    page(
      '<h1>Lamp</h1><p>Free shipping over $50</p><div class="box"><i class="line-through">$60.00</i> ' +
        '<i style="text-decoration: line-through">$70.00</i> <i class="unit-price">$4.54/kg</i> <b>$45.40</b></div>',
    ),
    "price",
    { text: "$45.40", number: 45.4 },
  ],
  [
    "microdata, not that of a related product",
    page('<div class="related-products"><b itemprop="price">3</b></div><b itemprop="price">59.90</b>'),
    "price",
    { text: "59.90", number: 59.9 },
  ],
  [
    "the page's own product",
    page(
      "<h1>Fjell lamp</h1>",
      jsonLd({ "@type": "Product", name: "Bulb", offers: { "@type": "Offer", price: "3" } }) +
        offer({})
          .replace('"Lamp"', '"Fjell lamp"')
          .replace('"@type":"Offer"', '"@type":"Offer","price":"59"'),
    ),
    "price",
    { text: "59", number: 59 },
  ],
  [
    "not a related product",
    page(
      "",
      jsonLd({
        "@type": "Product",
        isRelatedTo: [{ "@type": "Product", offers: { "@type": "Offer", price: 3 } }],
        offers: { "@type": "Offer", price: 59 },
      }),
    ),
    "price",
    { text: "59", number: 59 },
  ],
  [
    "the reduced price",
    page(
      "",
      offer({ price: 80, priceSpecification: { price: 59.5, priceType: "https://schema.org/SalePrice" } }),
    ),
    "price",
    { text: "59.5", number: 59.5 },
  ],
  [
    "the selling price, not the list price",
    page(
      "",
      offer({
        priceSpecification: [
          { price: 80, priceType: "https://schema.org/ListPrice" },
          { price: 59.5, priceCurrency: "EUR" },
        ],
      }),
    ),
    "price",
    { text: "59.5", number: 59.5 },
  ],
  [
    "del and ins",
    page('<p class="p"><del>£20.00</del> <ins>£15.00</ins></p>'),
    "selector",
    { text: "£15.00", number: 15 },
    ".p",
  ],
  [
    "raised decimals",
    page('<p class="p">12<sup>99</sup> €</p>'),
    "selector",
    { text: "12.99 €", number: 12.99 },
    ".p",
  ],
  [
    "raised decimals with a currency",
    page('<p class="p">12<sup>99 €</sup></p>'),
    "selector",
    { text: "12.99 €", number: 12.99 },
    ".p",
  ],
  ["an exponent", page('<p class="p">40 m<sup>2</sup></p>'), "selector", { text: "40 m2", number: 40 }, ".p"],
  [
    "only what is struck out",
    page('<p class="p"><del>£20.00</del></p>'),
    "selector",
    { text: "£20.00", number: 20 },
    ".p",
  ],
  [
    "the only number that isn't struck out",
    page("<p><del>£20.00</del> <ins>£15.00</ins></p>"),
    "number",
    { text: "£15.00", number: 15 },
  ],
  [
    "the only number, with raised decimals",
    page("<p>12<sup>99</sup> €</p>"),
    "number",
    { text: "12.99 €", number: 12.99 },
  ],
  [
    "the notation of the page's other prices",
    page('<p>$12,99</p><p>$5,00</p><p class="p">$1.299</p>'),
    "selector",
    { text: "$1.299", number: 1299 },
    ".p",
  ],
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
    "a meta element",
    page("", '<meta property="product:availability" content="sold out">'),
    "availability",
    { text: "sold out", number: null },
  ],
  ["the only number", page("<p>Only 12 left</p>"), "number", { text: "Only 12 left", number: 12 }],
  ["several numbers", page("<p>12 of 30</p>"), "number", { text: null, number: null }],
  [
    "CSS",
    page('<b class="p">1 234,50 €</b>', "", "fr"),
    "selector",
    { text: "1 234,50 €", number: 1234.5 },
    ".p",
  ],
  ["XPath", page("<b>1</b><b>2</b>"), "selector", { text: "2", number: 2 }, "xpath://b[2]"],
  ["an input's value", page('<input id="q" value="3">'), "selector", { text: "3", number: 3 }, "#q"],
  ["no matching element", page("Lamp"), "selector", { text: null, number: null }, ".p"],
  [
    "a pattern with a group",
    page("<p>Price: 59.00 € (was 70)</p>"),
    "pattern",
    { text: "70", number: 70 },
    "/was (\\d+)/",
  ],
  [
    "a pattern without a group",
    page("<p>Build 4711</p>"),
    "pattern",
    { text: "Build 4711", number: 4711 },
    "/build \\d+/i",
  ],
])("a followed value, %s: %s", ([, body, by, value, rule]) => {
  expect(read(body, { by, ...(rule ? { rule } : {}) })).toEqual(value);
});

test("reads a number, a text or nothing from JSON by JSONPath", () => {
  const file = '{"items":[{"price":59.5,"name":"12 Monkeys","gone":null}]}';
  const at = (path: string) => read(file, { by: "selector", rule: `jsonpath:$.items[0].${path}` }, "json");
  expect(at("price")).toEqual({ text: "59.5", number: 59.5 });
  expect(at("name")).toEqual({ text: "12 Monkeys", number: 12 });
  expect(at("gone")).toEqual({ text: null, number: null });
  expect(at("none")).toEqual({ text: null, number: null });
});

test("the last number is remembered while the value is missing", () => {
  const gone = addLastNumbers({ price: { text: null, number: null } }, { price: { text: "59", number: 59 } });
  expect(gone).toEqual({ price: { text: null, number: null, last: 59 } });
  expect(addLastNumbers({ price: { text: null, number: null } }, gone)).toEqual(gone);
  expect(addLastNumbers({ price: { text: "60", number: 60 } }, gone)).toEqual({
    price: { text: "60", number: 60 },
  });
});

test("the number at the last alert is remembered until the value is alerted again", () => {
  const at = (number: number | null, more: Partial<Value> = {}) => ({
    price: { text: number === null ? null : String(number), number, ...more },
  });
  expect(addAlertedNumbers(at(95), at(100))).toEqual(at(95, { alerted: 100 }));
  expect(addAlertedNumbers(at(90), at(95, { alerted: 100 }))).toEqual(at(90, { alerted: 100 }));
  expect(addAlertedNumbers(at(100), at(95, { alerted: 100 }))).toEqual(at(100));
  expect(addAlertedNumbers(at(90), at(null, { last: 95, alerted: 100 }))).toEqual(at(90, { alerted: 100 }));
  expect(addAlertedNumbers(at(90), {})).toEqual(at(90));
  // Another rule reads another number from the same capture.
  expect(addAlertedNumbers(at(7), at(95, { alerted: 100 }), at(8))).toEqual(at(7, { alerted: 8 }));
  const verdict = {
    changed: true,
    folded: false,
    reasons: [{ kind: "value", changes: [{ where: "price", before: "95", after: "90" }] }],
  } as Verdict;
  const falling = at(90, { alerted: 100 });
  expect(settleAlerted(falling, verdict)).toEqual(at(90));
  expect(settleAlerted(falling, { ...verdict, untold: "no" })).toEqual(falling);
  expect(settleAlerted(falling, { ...verdict, reasons: [] })).toEqual(falling);
});

test("a rule that can't be parsed is refused with a reason", () => {
  const refuse = (by: Follow["by"], rule: string) =>
    validateFollowedValues([{ name: "it", by, rule }])?.reason;
  expect(refuse("price", "")).toBeUndefined();
  expect(refuse("selector", "")).toBe("Enter a selector or a pattern.");
  expect(refuse("selector", "p[")).toContain("not a CSS selector");
  expect(refuse("pattern", "Price")).toContain("between slashes");
  expect(refuse("pattern", "/(/")).toContain("not a pattern");
});
