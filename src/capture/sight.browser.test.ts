import { afterAll, beforeAll, expect, test } from "vitest";
import type { Rendered } from "#contract/capture.ts";
import { applyRules, readRules } from "#detection/apply-rules.ts";
import type { CaptureRequest } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

let it: TestCapture;
beforeAll(async () => {
  it = await openCapture();
});
afterAll(() => it.close());

async function see(path: string, request: Partial<CaptureRequest> = {}) {
  const result = await it.capture(path, request);
  if (!result.ok || result.unchanged) throw new Error(`${path}: ${JSON.stringify(result)}`);
  return result.snapshot;
}

/** The ids of the elements with an index, by it. */
function idsOf(html: string): string[] {
  const plain = html.replace(
    /<(script|style|title|noscript|template|iframe)\b([^>]*)>.*?<\/\1>/gs,
    (_, tag, rest) => (rest.includes("shadowrootmode") ? "" : `<${tag}${rest}>`),
  );
  return [...plain.matchAll(/<[a-z][\w-]*([^>]*)>/g)].map(
    ([, rest = ""]) => /id="([^"]*)"/.exec(rest)?.[1] ?? "",
  );
}

function named(html: string, { elements, hidden, cloaked, shown, written }: Rendered) {
  const ids = idsOf(html);
  expect(ids.length).toBe(elements);
  const names = (list: number[]) => list.map((at) => ids[at]);
  return {
    hidden: names(hidden),
    cloaked: names(cloaked),
    shown: names(shown),
    written: written.map(({ at, ...rest }) => ({ at: ids[at], ...rest })),
  };
}

test("what of the HTML is in sight is known by the elements' order", async () => {
  const { html, rendered, truncated } = await see("/sight");
  expect(truncated).toBe(false);
  expect(rendered && named(html, rendered)).toEqual({
    hidden:
      "never attribute class sheet visibility content until-found transparent nothing folded off-canvas unslotted".split(
        " ",
      ),
    cloaked: "clipped far tiny indented".split(" "),
    shown: ["shown-again"],
    written: [{ at: "badge", before: "New: ", after: "sold “out”" }],
  });
});

test("a selected part is counted by itself, without what the job ignores", async () => {
  const glasses = readRules({ selector: "#part", ignore: ["#badge"] });
  const { html, rendered } = applyRules(await see("/sight"), glasses).snapshot;
  expect(rendered && named(html, rendered)).toEqual({
    hidden: ["folded"],
    cloaked: [],
    shown: [],
    written: [],
  });
});

test("B5 ninety inputs with names of three megabytes each hurt nobody else", async () => {
  const result = await it.capture("/long-names");
  expect(result).toMatchObject({ ok: false, failure: { kind: "too-large" } });
  expect(await see("/calm")).toMatchObject({ status: 200 });
  expect(it.pool.metrics.launches).toBe(1);
});

test("B5 a part with many long names is read, each of them cut", async () => {
  const { forms, truncated } = await see("/long-names?40000");
  expect(truncated).toBe(false);
  expect(forms[0]?.inputs.map((input) => input.name.length)).toEqual(Array(90).fill(200));
});

test("a page whose names hide the browser's own is read all the same", async () => {
  const { text, rendered, html, forms } = await see("/clobbered");
  expect(text.map((block) => block.text)).toEqual(["Inside", "Behind"]);
  expect(rendered && named(html, rendered).hidden).toEqual(["gone"]);
  expect(forms[0]?.inputs.map((input) => input.name)).toContain("getAttribute");
});
