import { expect, test } from "vitest";
import { parseHtml } from "../html-parsing/parse-html.ts";
import { readCss } from "./css.ts";
import { pickSelector } from "./pick-selector.ts";
import { Budget } from "./rule-budget.ts";
import { parseIgnoreRule } from "./rules.ts";
import { Tree } from "./tree.ts";

/** The selector for the element that contains `mark`, and whether it still matches that element after an edit. */
function pick(html: string, mark: string, edit: (html: string) => string = (same) => same) {
  const at = (tree: Tree) => {
    const text = tree.nodes.findIndex((node) => node.kind === "text" && node.text.includes(mark));
    return tree.nodes[text]?.parent ?? -1;
  };
  const tree = new Tree(parseHtml(html), new Budget());
  const picked = pickSelector(tree, at(tree));
  expect(readCss(picked.selector)(tree)).toEqual([at(tree)]);
  expect(parseIgnoreRule(picked.selector).kind).toBe("elements");
  const edited = new Tree(parseHtml(edit(html)), new Budget());
  return { ...picked, still: readCss(picked.selector)(edited).includes(at(edited)) };
}

const page = (body: string) =>
  `<!doctype html><html><head><title>t</title></head><body>${body}</body></html>`;
const list = page(
  '<main><ul id="lamps"><li class="lamp"><a href="/fjell">Fjell</a><b class="price">59 €</b></li><li class="lamp"><a href="/vik">Vik</a><b class="price">64 €</b></li></ul></main>',
);
const addItem = (html: string) =>
  html.replace(
    '<li class="lamp">',
    '<li class="lamp"><a href="/new">New</a><b class="price">1 €</b></li><li class="lamp">',
  );

test.for([
  ["by the element's own id", page('<p>a</p><p id="stock">X here</p>'), "X here", "#stock"],
  ["by its class", page('<p class="note">a</p><p class="stock">X here</p>'), "X here", ".stock"],
  ["by its landmark tag", page("<nav>a</nav><footer>X here</footer>"), "X here", "footer"],
  [
    "without class names that a build generated",
    page('<p class="css-1x9f8q stock">X here</p><p class="css-1x9f8q">b</p>'),
    "X here",
    ".stock",
  ],
  ["without class names of a passing state", page('<p class="active stock">X here</p>'), "X here", ".stock"],
  [
    "by a test attribute",
    page('<p data-testid="price">X here</p><p>b</p>'),
    "X here",
    '[data-testid="price"]',
  ],
  [
    "within a named ancestor",
    page('<div id="one"><p class="x">a</p></div><div id="two"><p class="x">X here</p></div>'),
    "X here",
    "#two .x",
  ],
  ["by the target of its link", list, "64 €", '.lamp:has(a[href="/vik"]) .price'],
  [
    "by the heading of its row",
    page("<table><tr><th>Size</th><td>3</td></tr><tr><th>Price</th><td>X here</td></tr></table>"),
    "X here",
    'tr:has(th:contains("Price")) td',
  ],
])("picks a selector %s", ([, html, mark, selector]) => {
  expect(pick(html as string, mark as string, addItem)).toEqual({ selector, holds: true, still: true });
});

test("an element that equals its siblings is selected by position and marked as not holding", () => {
  const equalSiblings = page("<div><span>a</span><span>X here</span><span>c</span></div>");
  expect(pick(equalSiblings, "X here")).toEqual({
    selector: "body > div > span:nth-of-type(2)",
    holds: false,
    still: true,
  });
});

test("a picked selector still matches after a sibling is added", () => {
  for (const mark of ["59 €", "64 €"])
    expect(pick(list, mark, addItem)).toMatchObject({ holds: true, still: true });
});
