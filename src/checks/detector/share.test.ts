import { expect, test } from "vitest";
import { share, unshare } from "./share.ts";

const html = "<p>Grüße, 中文 and more</p>".repeat(20_000);
const body = Buffer.from(html);
const input = () => ({ current: { snapshot: { html, body, title: "T" }, cut: [] }, memory: null, n: 1 });

test("what is long is handed over as memory that both see, the rest as it is", () => {
  const given = input();
  const posted = structuredClone(share(given)) as ReturnType<typeof input>;
  expect(posted.current.snapshot.html).not.toBeTypeOf("string");
  expect(posted.current.snapshot.title).toBe("T");
  expect(given.current.snapshot.html).toBe(html);
  const read = unshare(posted) as ReturnType<typeof input>;
  expect(read.current.snapshot.html).toBe(html);
  expect(Buffer.compare(read.current.snapshot.body, body)).toBe(0);
  expect(read).toMatchObject({ current: { cut: [] }, memory: null, n: 1 });
});

test("it is copied once for each that holds it, and anew when that holds something else", () => {
  const given = input();
  const handleIn = (shared: unknown) => (shared as ReturnType<typeof input>).current.snapshot.html;
  const first = handleIn(share(given));
  expect(handleIn(share({ ...given, n: 2 }))).toBe(first);
  const bytesIn = (shared: unknown) => (shared as { body: Uint8Array }).body;
  expect(bytesIn(share({ body }))).toBe(bytesIn(share({ body, n: 2 })));
  given.current.snapshot.html = `${html}.`;
  expect(unshare({ html: handleIn(share(given)) })).toEqual({ html: `${html}.` });
});

test("half a character is kept, and short words are not touched", () => {
  const odd = { html: `\ud800${html}`, text: "a page's word" };
  expect(unshare(structuredClone(share(odd)))).toEqual(odd);
  const small = { html: "<p>" };
  expect(share(small)).toBe(small);
});
