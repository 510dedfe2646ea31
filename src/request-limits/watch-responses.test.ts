import { expect, test } from "vitest";
import { watchResponses } from "./watch-responses.ts";

function openResponses() {
  const responses = watchResponses({ unreadBytes: 100 });
  const cutOff: string[] = [];
  const begin = (name: string, bytes: number, caller = "a") =>
    responses.begin(caller, bytes, () => void cutOff.push(name));
  return { responses, cutOff, begin };
}

test("a caller that leaves too much unread loses its oldest responses, and no other caller does", () => {
  const { cutOff, begin } = openResponses();
  begin("other", 90, "b");
  begin("oldest", 40);
  begin("old", 40);
  begin("new", 30);
  expect(cutOff).toEqual(["oldest"]);
  begin("newest", 80);
  expect(cutOff).toEqual(["oldest", "old", "new"]);
});

test("what was read makes room, and one response may be larger than the limit", () => {
  const { responses, cutOff, begin } = openResponses();
  const end = begin("read", 90);
  end();
  const endLarge = begin("large", 1_000);
  expect(cutOff).toEqual([]);
  endLarge();
  expect(responses.callers).toBe(0);
});
