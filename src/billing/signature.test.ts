import { Paddle } from "@paddle/paddle-node-sdk";
import { describe, expect, it } from "vitest";
import { isSignatureValid, signBody } from "./signature.ts";
import { signatureOf } from "./testing/paddle-events.ts";

const secret = "pdl_ntfset_01_secret";
const text = '{"event_id":"evt_1","name":"Łucja 🕊"}';
const body = Buffer.from(text);
const now = new Date();
const seconds = Math.floor(now.getTime() / 1000);
const valid = signatureOf(text, secret, seconds);
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

  it("may be any of several, in any place", () => {
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

  it("holds for 300 seconds either way and not for 301", () => {
    const at = (offset: number) => new Date((seconds + offset) * 1000);
    expect(
      [-301, -300, 0, 300, 301].map((offset) => isSignatureValid(body, valid, secret, at(offset))),
    ).toEqual([false, true, true, true, false]);
  });

  it.each([
    ["nothing", undefined],
    ["an empty header", ""],
    ["no time", `h1=${hash}`],
    ["no hash", `ts=${seconds}`],
    ["two times", `ts=${seconds};ts=${seconds};h1=${hash}`],
    ["another time than was signed", `ts=${seconds - 1};h1=${hash}`],
    ["a time that is no number", `ts=0x${seconds.toString(16)};h1=${hash}`],
    ["a time with a fraction", `ts=${seconds}.0;h1=${hash}`],
    ["half a hash", `ts=${seconds};h1=${hash.slice(0, 32)}`],
    ["a longer hash", `ts=${seconds};h1=${hash}00`],
    ["an empty hash", `ts=${seconds};h1=`],
    ["another scheme", `ts=${seconds};h2=${hash}`],
    ["another secret's", signatureOf(text, "another secret", seconds)],
    ["another body's", signatureOf(`${text} `, secret, seconds)],
    ["an empty secret's", signatureOf(text, "", seconds)],
  ])("refuses %s", (_, header) => {
    expect(isSignatureValid(body, header, secret, now)).toBe(false);
  });
});
