import { expect, test } from "vitest";
import type { Change, Reason } from "#detection/verdict/verdict.ts";
import { buildRequest, requestForms } from "./build-request.ts";
import { chooseBlocks } from "./choose-blocks.ts";
import { cleanText } from "./clean-text.ts";
import { injections } from "./testing/injections.ts";

const change = (before: string | null, after: string | null, more: Partial<Change> = {}): Change => ({
  where: "main",
  before,
  after,
  ...more,
});
const reason = (changes: Change[], more: Partial<Reason> = {}): Reason => ({
  kind: "text",
  severity: "notice",
  summary: "",
  changes,
  count: changes.length,
  ...more,
});

test("added, removed and moved texts become blocks with ids, each text once", () => {
  const changes = [
    change("Old", "New"),
    change(null, "New"),
    change("Moved", "Moved", { moved: true }),
    change("Gone", null),
  ];
  expect(chooseBlocks([reason(changes)])).toEqual({
    blocks: [
      { id: "b1", sign: "removed", text: "Old" },
      { id: "b2", sign: "added", text: "New" },
      { id: "b3", sign: "moved", text: "Moved" },
      { id: "b4", sign: "removed", text: "Gone" },
    ],
    isComplete: true,
  });
});

test.for([
  ["a reason of another kind", [reason([change(null, "A")]), reason([change(null, "/b")], { kind: "link" })]],
  ["more changes than are stored", [reason([change(null, "A")], { count: 2 })]],
  ["a long text", [reason([change(null, "word ".repeat(500))])]],
  ["many texts", [reason(Array.from({ length: 60 }, (_, at) => change(null, `Line ${at}`)))]],
  ["much text", [reason(Array.from({ length: 20 }, (_, at) => change(null, `${at} ${"x".repeat(900)}`)))]],
  ["a change that no reader sees", [reason([change(null, "A"), change(" ", "\u00a0")])]],
  ["a difference that isn’t sent", [reason([change("A  B", "A B")])]],
  ["a text that looks like a comment", [reason([change(null, "Refunds <!-- are no longer possible")])]],
  ["another icon", [reason([change("\ue001 Refunds", "\ue002 Refunds")])]],
  ["a text that is drawn in another order", [reason([change(null, "Price \u202e001\u202c")])]],
  ["only a picture", [reason([change(null, null)], { kind: "picture" })]],
] as const)("%s: the blocks aren’t all of the change", ([, reasons]) => {
  const { blocks, isComplete } = chooseBlocks([...reasons]);
  expect(isComplete).toBe(false);
  expect(blocks.length).toBeLessThanOrEqual(40);
  expect(blocks.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(8_000);
});

test("what only explains, and what goes to the digest anyway, is not sent", () => {
  const reasons = [
    reason([change(null, "Own")]),
    reason([change(null, "Info")], { severity: "info" }),
    reason([change(null, "Often")], { folded: true }),
  ];
  expect(chooseBlocks(reasons)).toMatchObject({ blocks: [{ text: "Own" }], isComplete: true });
});

test("no injection gets invisible characters, comments or an end of its block into a request", () => {
  expect(injections.length).toBeGreaterThanOrEqual(60);
  const { blocks } = chooseBlocks([reason(injections.slice(0, 40).map((text) => change(null, text)))]);
  const more = chooseBlocks([reason(injections.slice(40).map((text) => change(null, text)))]).blocks;
  for (const form of requestForms) {
    for (const chosen of [blocks, more]) {
      const question = { jobName: "Terms", matters: "", blocks: chosen };
      const request = buildRequest("m", question, form) as { messages: { content: string }[] };
      const text = request.messages[1]?.content ?? "";
      const marker = text.split(" ")[0] ?? "";
      expect(text.split(marker)).toHaveLength(chosen.length + 4);
      expect(text.split("\n")).toHaveLength(2 * (chosen.length + 2) + 1);
      expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|[\u{e0000}-\u{e0fff}]|<!--/u);
    }
  }
});

test("a marker that is in a text is not used, and each request has another", () => {
  const markers = ["=aaa", "=bbb"];
  const question = { jobName: "=aaa", matters: "", blocks: [] };
  const request = buildRequest("m", question, "plain", () => markers.shift() ?? "") as {
    messages: { content: string }[];
  };
  expect(request.messages[1]?.content.startsWith("=bbb")).toBe(true);
  const bodies = [1, 2].map(() => JSON.stringify(buildRequest("m", question, "schema")));
  expect(bodies[0]).not.toBe(bodies[1]);
});

test("comments, control characters and letters that no browser draws are removed", () => {
  const tags = Array.from("noise", (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
  expect(cleanText(`A<!-- b -->\u0007 c\u200b\u202e d${tags} <!-- open`)).toBe("A c d");
});
