import { afterEach, expect, test, vi } from "vitest";
import { countMarks, download } from "./download.ts";

afterEach(() => vi.unstubAllGlobals());
const bytes = (text: string) => new TextEncoder().encode(text);

test("rows are counted by what they begin with", () => {
  expect(countMarks(bytes("a\r\nb\rc\r\n"), bytes("\r\n"))).toBe(2);
  expect(countMarks(bytes(""), bytes("\n"))).toBe(0);
});

test("a download tells how far it is and gives back every byte", async () => {
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(bytes("a\nb\n"));
      stream.enqueue(bytes("c\n"));
      stream.close();
    },
  });
  vi.stubGlobal("fetch", async () => new Response(body, { headers: { "x-executions": "3" } }));
  const told: object[] = [];
  const file = await download(
    "/x",
    bytes("\n"),
    (progress) => told.push(progress),
    new AbortController().signal,
  );
  expect(await file.text()).toBe("a\nb\nc\n");
  expect(told).toEqual([
    { bytes: 4, rows: 2, total: 3 },
    { bytes: 6, rows: 3, total: 3 },
  ]);
});

test("a refusal carries the server's words", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ code: "NOT_FOUND", message: "Gone." }, { status: 404 }));
  await expect(download("/x", bytes("\n"), () => {}, new AbortController().signal)).rejects.toMatchObject({
    status: 404,
    code: "NOT_FOUND",
    message: "Gone.",
  });
});
