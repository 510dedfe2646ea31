import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { CdpPipe } from "./cdp-pipe.ts";

function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const sent: { id: number; method: string; sessionId?: string }[] = [];
  input.on("data", (chunk: Buffer) => {
    for (const part of chunk.toString().split("\0")) if (part !== "") sent.push(JSON.parse(part));
  });
  return { pipe: new CdpPipe(input, output), output, sent };
}

test("answers find their command in any order and any chunking", async () => {
  const { pipe, output } = open();
  const [first, second] = [pipe.send("A"), pipe.send("B")];
  const bytes = Buffer.from(`{"id":2,"result":{"of":"B é"}}\0{"id":1,"result":{"of":"A"}}\0`);
  for (const byte of bytes) output.write(Buffer.from([byte]));
  expect(await Promise.all([first, second])).toEqual([{ of: "A" }, { of: "B é" }]);
});

test("an error names its command", async () => {
  const { pipe, output } = open();
  const asked = pipe.send("Page.navigate");
  output.write('{"id":1,"error":{"message":"no such page"}}\0');
  await expect(asked).rejects.toThrow("Page.navigate: no such page");
});

test("events reach their session only, until it stops listening", async () => {
  const { pipe, output } = open();
  const heard: string[] = [];
  const stop = pipe.listen("S1", ({ method }) => heard.push(`S1 ${method}`));
  pipe.listen("", ({ method }) => heard.push(`browser ${method}`));
  output.write('{"method":"a","sessionId":"S1"}\0{"method":"b","sessionId":"S2"}\0{"method":"c"}\0');
  await new Promise(setImmediate);
  stop();
  output.write('{"method":"d","sessionId":"S1"}\0');
  await new Promise(setImmediate);
  expect(heard).toEqual(["S1 a", "browser c"]);
});

test("a closed pipe ends what waits and what comes later, and tells the listeners", async () => {
  const { pipe, output } = open();
  const heard: string[] = [];
  pipe.listen("S1", ({ method }) => heard.push(method));
  const waiting = pipe.send("A");
  output.destroy();
  await expect(waiting).rejects.toMatchObject({ gone: true });
  await expect(pipe.send("B")).rejects.toMatchObject({ gone: true });
  expect(heard).toEqual(["gone"]);
});
