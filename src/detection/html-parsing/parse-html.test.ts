import { expect, test } from "vitest";
import { parseHtml } from "./parse-html.ts";

function outline(html: string): string {
  return parseHtml(html)
    .map(
      (node) =>
        `${"  ".repeat(node.depth)}${node.kind === "element" ? node.tag : `${node.kind}:${node.text}`}`,
    )
    .join("\n");
}

test("reads nesting, implied ends and entities", () => {
  expect(outline("<ul><li>a &amp; b<li>c</ul><p>d<div>e</div>")).toBe(
    ["ul", "  li", "    text:a & b", "  li", "    text:c", "p", "  text:d", "div", "  text:e"].join("\n"),
  );
});

test("keeps scripts whole and ignores closing tags of elements that aren't open", () => {
  expect(outline("</b><script>if(a<b)x()</script></i>y")).toBe(
    ["script", "  text:if(a<b)x()", "text:y"].join("\n"),
  );
});

test("keeps the first of repeated attributes and lower-cases their names", () => {
  expect(parseHtml("<A HREF='/x' href=/y Data-Q>")[0]?.attributes).toEqual({ href: "/x", "data-q": "" });
});

test("reads tags named like object members (constructor, toString) as tags", () => {
  expect(outline("<constructor><toString></toString>x")).toBe(
    ["constructor", "  tostring", "  text:x"].join("\n"),
  );
});

test("parses 100,000 unclosed tags followed by 100,000 wrong closing tags", () => {
  const nodes = parseHtml("<div>".repeat(100_000) + "</span>".repeat(100_000));
  expect(nodes.length).toBe(100_000);
  expect(nodes.at(-1)?.depth).toBe(99_999);
  expect(nodes[0]?.end).toBe(100_000);
});
