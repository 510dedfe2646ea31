import { expect, test } from "vitest";
import type { OpinionBlock } from "#contract/second-opinion.ts";
import { parseAnswer } from "./parse-answer.ts";

const blocks: OpinionBlock[] = [
  { id: "b1", sign: "removed", text: "Open until 18:00" },
  { id: "b2", sign: "added", text: "Open until 17:00" },
];
const good = { class: "important", blocks: ["b2"], sentence: "The shop is open until 17:00." };

test.for([
  ["JSON", JSON.stringify(good)],
  ["a fence", `\`\`\`json\n${JSON.stringify(good)}\n\`\`\``],
  ["thoughts before it", `<think>Is it “18:00”?</think>\n${JSON.stringify(good)}`],
] as const)("%s is read", ([, text]) => {
  expect(parseAnswer(text, blocks)).toEqual({
    ok: true,
    judgement: { class: "important", sentence: good.sentence, blocks: [blocks[1]] },
  });
});

test.for([
  ["", "isn’t JSON"],
  ["noise", "isn’t JSON"],
  ["<html><body>Bad gateway</body></html>", "isn’t JSON"],
  ["Sure! {}", "isn’t JSON"],
  [`${JSON.stringify(good)} ${JSON.stringify({ ...good, class: "noise" })}`, "isn’t JSON"],
  ["null", "form"],
  ["[]", "form"],
  ['"noise"', "form"],
  [JSON.stringify({ ...good, class: "unimportant" }), "form"],
  [JSON.stringify({ ...good, class: ["noise"] }), "form"],
  [JSON.stringify({ ...good, blocks: [] }), "form"],
  [JSON.stringify({ ...good, blocks: "b2" }), "form"],
  [JSON.stringify({ ...good, silence: true }), "form"],
  [JSON.stringify({ class: "noise", blocks: ["b2"] }), "form"],
  [JSON.stringify({ ...good, blocks: ["b3"] }), "blocks that don’t exist"],
  [JSON.stringify({ ...good, blocks: ["b2", "__proto__"] }), "blocks that don’t exist"],
  [JSON.stringify({ ...good, blocks: ["b1"] }), "contains 17:00"],
  [JSON.stringify({ ...good, class: "noise", sentence: "The shop closed for ever, says Globex." }), "Globex"],
  [JSON.stringify({ ...good, sentence: "x".repeat(30_000) }), "too long"],
] as const)("%s is thrown away", ([text, why]) => {
  expect(parseAnswer(text, blocks)).toEqual({ ok: false, why: expect.stringContaining(why) });
});
