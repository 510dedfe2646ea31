import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { decode, encode } from "./cbor.ts";
import type { CdpError } from "./cdp-error.ts";
import { CdpPipe } from "./cdp-pipe.ts";

function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const sendFromBrowser = (...messages: object[]) => output.write(Buffer.concat(messages.map(encode)));
  return { pipe: new CdpPipe(input, output), input, output, sendFromBrowser };
}

test("responses reach their commands in any order and any chunking", async () => {
  const { pipe, output } = open();
  const [first, second] = [pipe.send(undefined, "Page.enable"), pipe.send(undefined, "DOM.enable")];
  const answers = [
    { id: 2, result: { of: "B é" } },
    { id: 1, result: { of: "A" } },
  ];
  const bytes = Buffer.concat(answers.map(encode));
  for (const byte of bytes) output.write(Buffer.from([byte]));
  expect(await Promise.all([first, second])).toEqual([{ of: "A" }, { of: "B é" }]);
});

test("an error names its command", async () => {
  const { pipe, sendFromBrowser } = open();
  const command = pipe.send("S1", "Page.navigate", { url: "about:blank" });
  sendFromBrowser({ id: 1, error: { message: "no such page" } });
  await expect(command).rejects.toThrow("Page.navigate: no such page");
});

test("events reach only the listeners of their session, until they stop listening", async () => {
  const { pipe, sendFromBrowser } = open();
  const events: string[] = [];
  const stop = pipe.listen("S1", ({ method }) => events.push(`S1 ${method}`));
  pipe.listen("", ({ method }) => events.push(`browser ${method}`));
  sendFromBrowser({ method: "a", sessionId: "S1" }, { method: "b", sessionId: "S2" }, { method: "c" });
  await new Promise(setImmediate);
  stop();
  sendFromBrowser({ method: "d", sessionId: "S1" });
  await new Promise(setImmediate);
  expect(events).toEqual(["S1 a", "browser c"]);
});

test("a closed pipe rejects pending and later commands and notifies the listeners", async () => {
  const { pipe, output } = open();
  const events: string[] = [];
  pipe.listen("S1", ({ method }) => events.push(method));
  const command = pipe.send(undefined, "Page.enable");
  output.destroy();
  await expect(command).rejects.toMatchObject({ kind: "gone" });
  await expect(pipe.send(undefined, "Page.enable")).rejects.toMatchObject({ kind: "gone" });
  expect(events).toEqual(["gone"]);
});

test("a command is encoded as the browser reads it", () => {
  const { pipe, input } = open();
  const value = { at: 1.5, deep: [null, true, -70_000, { text: "é" }] };
  const functionDeclaration = "() => {}";
  void pipe.send("S1", "Runtime.callFunctionOn", {
    functionDeclaration,
    arguments: [{ value: { ...value, left: undefined } }],
  });
  expect(decode(input.read() as Buffer)).toEqual({
    id: 1,
    method: "Runtime.callFunctionOn",
    params: { functionDeclaration, arguments: [{ value }] },
    sessionId: "S1",
  });
});

test("errors of a page that navigated away have their own kind", async () => {
  const { pipe, sendFromBrowser } = open();
  const kindOf = async (id: number, message: string) => {
    const command = pipe.send("S1", "Page.enable");
    sendFromBrowser({ id, error: { code: -32_000, message } });
    return command.then(
      () => "answered",
      (error: CdpError) => error.kind,
    );
  };
  expect(await kindOf(1, "Cannot find context with specified id")).toBe("moved");
  expect(await kindOf(2, "Inspected target navigated or closed")).toBe("moved");
  expect(await kindOf(3, "Execution was terminated")).toBe("ended");
  expect(await kindOf(4, "No such thing in this context")).toBe("refused");
});

test.for([
  ["no envelope", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ["a message larger than memory", Buffer.from("d8185affffffffbf", "hex")],
  ["a string longer than its message", Buffer.from("d8185a00000004bf7a7fff", "hex")],
  ["an unknown first byte", Buffer.from("d8185a00000002bfc0", "hex")],
  [
    "endlessly nested lists",
    Buffer.concat([Buffer.from("d8185a00002000", "hex"), Buffer.alloc(0x2000, 0x9f)]),
  ],
] as const)("a browser that sends %s counts as gone", async ([, bytes]) => {
  const { pipe, output } = open();
  const command = pipe.send(undefined, "Page.enable");
  output.write(bytes);
  await expect(command).rejects.toMatchObject({ kind: "gone" });
});
