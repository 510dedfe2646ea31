import { expect, test } from "vitest";
import { compare, learnTwin } from "./compare.ts";
import { emptyMemory } from "./noise-memory.ts";
import type { Rendered, Snapshot } from "./snapshot.ts";
import { snapshotOf } from "./snapshot-of.ts";

const seen: Rendered = { elements: 0, hidden: [], cloaked: [], shown: [], written: [] };

/** A page of main (0) with four paragraphs (1 to 4), of which a browser saw what `rendered` says. */
function page(rendered: Partial<Rendered> | null, texts: string[] = ["Lamp", "In stock", "Sold out", "Oak"]) {
  const paragraphs = texts.map((text) => `<p class="line">${text}</p>`).join("");
  const snapshot = snapshotOf(`<main>${paragraphs}</main>`, "html", "https://example.com/");
  return rendered
    ? { ...snapshot, rendered: { ...seen, elements: 1 + texts.length, ...rendered } }
    : snapshot;
}

const verdictOf = (before: Snapshot, after: Snapshot) => compare(before, after, emptyMemory()).verdict;
const toldIn = (before: Snapshot, after: Snapshot) =>
  verdictOf(before, after).reasons.map(({ kind, changes }) => [
    kind,
    ...changes.map((change) => [change.before, change.after]),
  ]);

test("text that a style sheet hides or shows is told though the HTML stands", () => {
  expect(toldIn(page({ hidden: [3] }), page({ hidden: [2] }))).toEqual([["text", ["In stock", "Sold out"]]]);
  expect(toldIn(page({}), page({ hidden: [3] }))).toEqual([["text", ["Sold out", null]]]);
  expect(toldIn(page({ cloaked: [3] }), page({}))).toEqual([["text", [null, "Sold out"]]]);
});

test("the other half of such a change is listed as hidden", () => {
  const { ignored } = verdictOf(page({ hidden: [3] }), page({ hidden: [2] }));
  expect(ignored).toMatchObject([{ before: "Sold out", after: "In stock", why: "hidden" }]);
});

test("hidden text that changes is told as hidden, and does not count as what stands", () => {
  const after = page({ hidden: [3, 4] }, ["Lamp", "In stock", "Sold out until May", "Pine"]);
  const verdict = verdictOf(page({ hidden: [3, 4] }), after);
  expect(verdict).toMatchObject({ changed: true, severity: "notice", similarity: 100 });
  expect(verdict.reasons).toMatchObject([
    { kind: "hidden-text", summary: "“until May” added after “Sold out” and 1 more, not shown" },
  ]);
});

test("what is shown inside a hidden part is seen", () => {
  const all = { hidden: [0], shown: [2] };
  expect(toldIn(page(all), page({ ...all, shown: [3] }))).toEqual([["text", ["In stock", "Sold out"]]]);
});

test("words that a style sheet writes are told", () => {
  const written = (after: string) => page({ written: [{ at: 1, after }] });
  expect(toldIn(written("sold out"), written("available"))).toEqual([["text", ["sold out", "available"]]]);
  expect(toldIn(page({}), written("new"))).toEqual([["text", [null, "new"]]]);
});

test("what only one of two captures knows of is no difference", () => {
  const rich = page({ hidden: [2], written: [{ at: 1, before: "new" }] });
  for (const poor of [page(null), page({ elements: 99, hidden: [1] })]) {
    for (const verdict of [verdictOf(rich, poor), verdictOf(poor, rich)]) {
      expect([verdict.changed, verdict.reasons, verdict.ignored]).toEqual([false, [], []]);
    }
  }
});

test("what flickers between two captures of one moment is known as noise", () => {
  const memory = learnTwin(page({ hidden: [3] }), page({}), emptyMemory());
  expect(compare(page({ hidden: [3] }), page({}), memory).verdict.changed).toBe(false);
});

test("elements inside scripts, templates and shadow roots have no index", () => {
  const html = (text: string) =>
    `<script>"<b>"</script><noscript><i>no</i></noscript><template><i>t</i></template><x-y><template shadowrootmode="open"><i>s</i></template></x-y><p>${text}</p>`;
  const of = (text: string, hidden: number[]) => ({
    ...snapshotOf(html(text), "html", "https://example.com/"),
    rendered: { ...seen, elements: 5, hidden },
  });
  expect(verdictOf(of("one", [1, 4]), of("two", [1, 4])).reasons).toMatchObject([{ kind: "hidden-text" }]);
});
