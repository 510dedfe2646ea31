import { expect, test } from "vitest";
import { readReply } from "./read-reply.ts";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const completion = (message: object, more: object = {}) => bytes({ choices: [{ message, ...more }] });
const usage = (prompt: unknown) => ({ prompt_tokens: prompt, completion_tokens: 2 });

test("a completion is read with the tokens that it used", () => {
  const [first, second] = [{ message: { content: "{}" } }, { message: { content: "other" } }];
  expect(readReply(bytes({ choices: [first, second], usage: usage(1.5) }))).toEqual({
    ok: true,
    text: "{}",
    tokens: { inputTokens: 2, outputTokens: 2 },
  });
});

test.for([-1, 1e9, "7", null])("an endpoint that says that it used %s tokens isn't believed", (prompt) => {
  expect(readReply(bytes({ choices: [{ message: { content: "{}" } }], usage: usage(prompt) }))).toEqual({
    ok: true,
    text: "{}",
    tokens: null,
  });
});

test.for([
  ["no JSON", new TextEncoder().encode("<html>"), "didn’t answer with JSON"],
  ["bytes that aren't UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "didn’t answer with JSON"],
  ["200,000 brackets", new TextEncoder().encode("[".repeat(200_000)), "didn’t answer with JSON"],
  ["no choices", bytes({ choices: [] }), "didn’t answer with a chat completion"],
  ["an error with status 200", bytes({ error: { message: "busy" } }), "didn’t answer with a chat completion"],
  ["a refusal", completion({ content: null, refusal: "I can’t help with that." }), "refused to answer"],
  ["a refusal beside an answer", completion({ content: "{}", refusal: "No." }), "refused to answer"],
  ["a cut answer", completion({ content: "{}" }, { finish_reason: "length" }), "was cut"],
  ["a call of a tool", completion({ content: null, tool_calls: [{ id: "1" }] }), "answered without text"],
] as const)("%s is no answer", ([, reply, problem]) => {
  expect(readReply(reply)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
});
