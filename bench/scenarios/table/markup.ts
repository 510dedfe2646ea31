// Malformed and unusual pages whose text changes, and markup that changes while the text stays the same.
import { shop } from "../page.ts";
import { alerted, type Scenario, same } from "../scenario.ts";

const body = (word: string) =>
  `<header><a href="/">Home</a></header><main><h1>Harbour</h1><p>The bell rings at ${word} in summer.</p><p>The lighthouse may be visited on Sundays, dogs are welcome.</p></main>`;
const textChange = (name: string, make: (word: string) => string): Scenario => ({
  class: "markup",
  name,
  serves: ["six", "nine"].map(make),
  expect: [alerted(["nine"])],
});
const malformed: Scenario[] = [
  textChange(
    "text changes in a page with an unclosed head",
    (word) =>
      `<!doctype html><html><head><title>Harbour</title><meta charset="utf-8"><body>${body(word)}</body></html>`,
  ),
  textChange(
    "text changes in a page with an unclosed head and no body",
    (word) => `<!doctype html><html><head><title>Harbour</title>${body(word)}`,
  ),
  textChange(
    "text changes in a paragraph in the head",
    (word) =>
      `<html><head><title>Harbour</title><p>The bell rings at ${word} in summer.</p></head><body><p>Welcome.</p></body></html>`,
  ),
  textChange("text changes in a page without html, head and body tags", (word) => body(word)),
  textChange(
    "text changes in a page with an unclosed title",
    (word) => `<html><head><title>Harbour ${word}</head><body>${body(word)}</body></html>`,
  ),
  textChange(
    "text changes in a page with unclosed paragraphs",
    (word) => `<body><main><p>One<p>Two<p>The bell rings at ${word}<p>Four</main>`,
  ),
  textChange(
    "text changes in a page that ends with an unclosed comment",
    (word) => `<body><!-- a note --><main>${body(word)}</main><!-- end`,
  ),
  textChange(
    "text changes in a page with uppercase tags",
    (word) =>
      `<HTML><HEAD><TITLE>H</TITLE></HEAD><BODY><MAIN><P>The bell rings at ${word}</P><P>Dogs are welcome here.</P></MAIN></BODY></HTML>`,
  ),
  textChange(
    "text changes in nested tables",
    (word) =>
      `<body><table><tr><td><table><tr><td>Bell</td><td>${word}</td></tr></table></td></tr></table></body>`,
  ),
  textChange(
    "text changes in a page with a noscript element",
    (word) => `<body><main><noscript><p>x</p></noscript><p>The bell rings at ${word}</p></main></body>`,
  ),
  textChange(
    "text changes in a page of divs",
    (word) => `<body><div><div><div>Harbour</div><div>The bell rings at ${word}</div></div></div></body>`,
  ),
  textChange(
    "text changes inside 600 nested divs",
    (word) =>
      `<body>${"<div>".repeat(600)}The bell rings at ${word}${"</div>".repeat(600)}<p>Dogs are welcome.</p></body>`,
  ),
];

const markupOnly: Scenario[] = [
  {
    class: "markup",
    name: "attributes change their order",
    serves: [shop('<p class="a" id="b">Words</p>'), shop('<p id="b" class="a">Words</p>')],
    expect: [same],
  },
  {
    class: "markup",
    name: "a wrapper element is added",
    serves: [shop("<p>Words of the shop</p>"), shop('<div class="wrap"><p>Words of the shop</p></div>')],
    expect: [{ is: "noise" }],
  },
  {
    class: "markup",
    name: "a class changes",
    serves: [shop('<p class="mt-2">Words</p>'), shop('<p class="mt-4">Words</p>')],
    expect: [{ is: "noise" }],
  },
  {
    class: "markup",
    name: "a style changes",
    serves: [shop('<p style="margin:2px">Words</p>'), shop('<p style="margin:4px">Words</p>')],
    expect: [{ is: "noise" }],
  },
  {
    class: "markup",
    name: "nothing changes",
    serves: [shop("<p>Words</p>"), shop("<p>Words</p>"), shop("<p>Words</p>")],
    expect: [same],
  },
];

export const markup: Scenario[] = [...malformed, ...markupOnly];
