import { expect, test } from "vitest";
import { countMarks, download } from "./download.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("countMarks counts how often a mark occurs", () => {
  expect(countMarks(bytes("a\r\nb\rc\r\n"), bytes("\r\n"))).toBe(2);
  expect(countMarks(bytes(""), bytes("\n"))).toBe(0);
});

test("a download reports its progress and returns every byte", async () => {
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(bytes("a\nb\n"));
      stream.enqueue(bytes("c\n"));
      stream.close();
    },
  });
  const progressReports: object[] = [];
  const response = new Response(body, { headers: { "x-executions": "3" } });
  const file = await download(response, bytes("\n"), (progress) => progressReports.push(progress));
  expect(await file.text()).toBe("a\nb\nc\n");
  expect(progressReports).toEqual([
    { bytes: 4, rows: 2, total: 3 },
    { bytes: 6, rows: 3, total: 3 },
  ]);
});
