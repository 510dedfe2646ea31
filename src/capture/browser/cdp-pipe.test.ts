import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { decode, encode } from "./cbor.ts";
import { CdpPipe } from "./cdp-pipe.ts";

function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const say = (...messages: object[]) => output.write(Buffer.concat(messages.map(encode)));
  return { pipe: new CdpPipe(input, output), input, output, say };
}

test("answers find their command in any order and any chunking", async () => {
  const { pipe, output } = open();
  const [first, second] = [pipe.send("A"), pipe.send("B")];
  const answers = [
    { id: 2, result: { of: "B é" } },
    { id: 1, result: { of: "A" } },
  ];
  const bytes = Buffer.concat(answers.map(encode));
  for (const byte of bytes) output.write(Buffer.from([byte]));
  expect(await Promise.all([first, second])).toEqual([{ of: "A" }, { of: "B é" }]);
});

test("an error names its command", async () => {
  const { pipe, say } = open();
  const asked = pipe.send("Page.navigate");
  say({ id: 1, error: { message: "no such page" } });
  await expect(asked).rejects.toThrow("Page.navigate: no such page");
});

test("events reach their session only, until it stops listening", async () => {
  const { pipe, say } = open();
  const heard: string[] = [];
  const stop = pipe.listen("S1", ({ method }) => heard.push(`S1 ${method}`));
  pipe.listen("", ({ method }) => heard.push(`browser ${method}`));
  say({ method: "a", sessionId: "S1" }, { method: "b", sessionId: "S2" }, { method: "c" });
  await new Promise(setImmediate);
  stop();
  say({ method: "d", sessionId: "S1" });
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

test("a command is written as the browser reads it", () => {
  const { pipe, input } = open();
  void pipe.send("A", { at: 1.5, deep: [null, true, -70_000, { text: "é" }], left: undefined });
  const params = { at: 1.5, deep: [null, true, -70_000, { text: "é" }] };
  expect(decode(input.read() as Buffer)).toEqual({ id: 1, method: "A", params });
});

test.for([
  ["no envelope", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ["more than memory holds", Buffer.from("d8185affffffffbf", "hex")],
  ["a string longer than its message", Buffer.from("d8185a00000004bf7a7fff", "hex")],
  ["nothing that begins so", Buffer.from("d8185a00000002bfc0", "hex")],
  ["a nest without end", Buffer.concat([Buffer.from("d8185a00002000", "hex"), Buffer.alloc(0x2000, 0x9f)])],
] as const)("a browser that sends %s is given up", async ([, bytes]) => {
  const { pipe, output } = open();
  const waiting = pipe.send("A");
  output.write(bytes);
  await expect(waiting).rejects.toMatchObject({ gone: true });
});
