import { expect, test } from "vitest";
import { openFrameGate } from "./frame-gate.ts";

test("a slow client gets the newest frame when it has seen one, and none pile up", () => {
  const sent: number[] = [];
  const gate = openFrameGate((frame) => sent.push(frame[0] ?? -1));
  for (const number of [1, 2, 3, 4, 5]) gate.offer(Uint8Array.of(number));
  expect(sent).toEqual([1, 2]);
  gate.seen();
  expect(sent).toEqual([1, 2, 5]);
  // Nothing new to see.
  gate.seen();
  gate.seen();
  gate.seen();
  for (const number of [6, 7, 8]) gate.offer(Uint8Array.of(number));
  expect(sent).toEqual([1, 2, 5, 6, 7]);
});
