import { expect, test } from "vitest";
import { parseHtml } from "./html/parse-html.ts";
import { pickSelector } from "./pick-selector.ts";
import { Budget } from "./rule-budget.ts";
import { readCss } from "./rules/css.ts";
import { Tree } from "./rules/tree.ts";
import { readIgnored } from "./rules.ts";

/** The selector for the element that holds a mark, and whether it still chooses that after an edit. */
function pick(html: string, mark: string, edit: (html: string) => string = (same) => same) {
  const at = (tree: Tree) => {
    const text = tree.nodes.findIndex((node) => node.kind === "text" && node.text.includes(mark));
    return tree.nodes[text]?.parent ?? -1;
  };
  const tree = new Tree(parseHtml(html), new Budget());
  const picked = pickSelector(tree, at(tree));
  expect(readCss(picked.selector)(tree)).toEqual([at(tree)]);
  expect(readIgnored(picked.selector).kind).toBe("elements");
  const edited = new Tree(parseHtml(edit(html)), new Budget());
  return { ...picked, still: readCss(picked.selector)(edited).includes(at(edited)) };
}

const page = (body: string) =>
  `<!doctype html><html><head><title>t</title></head><body>${body}</body></html>`;
const list = page(
  '<main><ul id="lamps"><li class="lamp"><a href="/fjell">Fjell</a><b class="price">59 €</b></li><li class="lamp"><a href="/vik">Vik</a><b class="price">64 €</b></li></ul></main>',
);
const another = (html: string) =>
  html.replace(
    '<li class="lamp">',
    '<li class="lamp"><a href="/new">New</a><b class="price">1 €</b></li><li class="lamp">',
  );

test.for([
  ["its own id", page('<p>a</p><p id="stock">X here</p>'), "X here", "#stock"],
  ["its class", page('<p class="note">a</p><p class="stock">X here</p>'), "X here", ".stock"],
  ["a landmark", page("<nav>a</nav><footer>X here</footer>"), "X here", "footer"],
  [
    "no name of a build",
    page('<p class="css-1x9f8q stock">X here</p><p class="css-1x9f8q">b</p>'),
    "X here",
    ".stock",
  ],
  ["no passing state", page('<p class="active stock">X here</p>'), "X here", ".stock"],
  [
    "a handle for tests",
    page('<p data-testid="price">X here</p><p>b</p>'),
    "X here",
    '[data-testid="price"]',
  ],
  [
    "within something named",
    page('<div id="one"><p class="x">a</p></div><div id="two"><p class="x">X here</p></div>'),
    "X here",
    "#two .x",
  ],
  ["by where its link leads", list, "64 €", '.lamp:has(a[href="/vik"]) .price'],
  [
    "by its row's heading",
    page("<table><tr><th>Size</th><td>3</td></tr><tr><th>Price</th><td>X here</td></tr></table>"),
    "X here",
    'tr:has(th:contains("Price")) td',
  ],
])("%s", ([, html, mark, selector]) => {
  expect(pick(html as string, mark as string, another)).toEqual({ selector, holds: true, still: true });
});

test("where nothing tells it from its siblings, its place does, and that is said", () => {
  const alike = page("<div><span>a</span><span>X here</span><span>c</span></div>");
  expect(pick(alike, "X here")).toEqual({
    selector: "body > div > span:nth-of-type(2)",
    holds: false,
    still: true,
  });
});

test("it holds when siblings come and go", () => {
  for (const mark of ["59 €", "64 €"])
    expect(pick(list, mark, another)).toMatchObject({ holds: true, still: true });
});
