import { expect, test } from "vitest";
import { share, unshare } from "./share.ts";

const html = "<p>Grüße, 中文 and more</p>".repeat(20_000);
const body = Buffer.from(html);
const input = () => ({ current: { snapshot: { html, body, title: "T" }, cut: [] }, memory: null, n: 1 });

test("long values are passed to a thread as shared memory, and the others as they are", () => {
  const original = input();
  const posted = structuredClone(share(original)) as ReturnType<typeof input>;
  expect(posted.current.snapshot.html).not.toBeTypeOf("string");
  expect(posted.current.snapshot.title).toBe("T");
  expect(original.current.snapshot.html).toBe(html);
  const read = unshare(posted) as ReturnType<typeof input>;
  expect(read.current.snapshot.html).toBe(html);
  expect(Buffer.compare(read.current.snapshot.body, body)).toBe(0);
  expect(read).toMatchObject({ current: { cut: [] }, memory: null, n: 1 });
});

test("a long value is copied once per object that holds it, and again if the object holds another value", () => {
  const original = input();
  const handleIn = (shared: unknown) => (shared as ReturnType<typeof input>).current.snapshot.html;
  const first = handleIn(share(original));
  expect(handleIn(share({ ...original, n: 2 }))).toBe(first);
  const bytesIn = (shared: unknown) => (shared as { body: Uint8Array }).body;
  expect(bytesIn(share({ body }))).toBe(bytesIn(share({ body, n: 2 })));
  original.current.snapshot.html = `${html}.`;
  expect(unshare({ html: handleIn(share(original)) })).toEqual({ html: `${html}.` });
});

test("a lone surrogate survives sharing, and short values aren't shared", () => {
  const odd = { html: `\ud800${html}`, text: "a page's word" };
  expect(unshare(structuredClone(share(odd)))).toEqual(odd);
  const small = { html: "<p>" };
  expect(share(small)).toBe(small);
});
