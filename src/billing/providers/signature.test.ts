import { Paddle } from "@paddle/paddle-node-sdk";
import { describe, expect, it } from "vitest";
import { signLikePaddle } from "../testing/paddle-events.ts";
import { isSignatureValid, signBody } from "./signature.ts";

const secret = "pdl_ntfset_01_secret";
const text = '{"event_id":"evt_1","name":"Łucja 🕊"}';
const body = Buffer.from(text);
const now = new Date();
const seconds = Math.floor(now.getTime() / 1000);
const valid = signLikePaddle(text, secret, seconds);
const hash = valid.replace(/^.*h1=/, "");

describe("N4 the signature of a billing event", () => {
  it("is the one Paddle's own SDK makes and accepts", async () => {
    const { webhooks } = new Paddle("key");
    expect(signBody(body, secret, now)).toBe(valid);
    expect(await webhooks.isSignatureValid(text, secret, signBody(body, secret, new Date()))).toBe(true);
    expect(await webhooks.isSignatureValid(`${text} `, secret, signBody(body, secret, new Date()))).toBe(
      false,
    );
    expect(isSignatureValid(body, valid, secret, now)).toBe(true);
  });

  it("is accepted at any position among several", () => {
    const other = "0".repeat(64);
    for (const header of [
      `ts=${seconds};h1=${other};h1=${hash}`,
      `ts=${seconds};h1=${hash};h1=${other}`,
      `h1=${hash};ts=${seconds}`,
      `ts=${seconds}; h1=${hash.toUpperCase()}`,
    ]) {
      expect([header, isSignatureValid(body, header, secret, now)]).toEqual([header, true]);
    }
  });

  it("is valid up to 300 seconds before and after its time, and not at 301", () => {
    const at = (offset: number) => new Date((seconds + offset) * 1000);
    expect(
      [-301, -300, 0, 300, 301].map((offset) => isSignatureValid(body, valid, secret, at(offset))),
    ).toEqual([false, true, true, true, false]);
  });

  it.each([
    ["a missing header", undefined],
    ["an empty header", ""],
    ["a header without a time", `h1=${hash}`],
    ["a header without a hash", `ts=${seconds}`],
    ["a header with two times", `ts=${seconds};ts=${seconds};h1=${hash}`],
    ["a time other than the signed one", `ts=${seconds - 1};h1=${hash}`],
    ["a time that isn't a decimal number", `ts=0x${seconds.toString(16)};h1=${hash}`],
    ["a time with a fraction", `ts=${seconds}.0;h1=${hash}`],
    ["half a hash", `ts=${seconds};h1=${hash.slice(0, 32)}`],
    ["a longer hash", `ts=${seconds};h1=${hash}00`],
    ["an empty hash", `ts=${seconds};h1=`],
    ["another scheme", `ts=${seconds};h2=${hash}`],
    ["a signature made with another secret", signLikePaddle(text, "another secret", seconds)],
    ["a signature of another body", signLikePaddle(`${text} `, secret, seconds)],
    ["a signature made with an empty secret", signLikePaddle(text, "", seconds)],
  ])("refuses %s", (_, header) => {
    expect(isSignatureValid(body, header, secret, now)).toBe(false);
  });
});
