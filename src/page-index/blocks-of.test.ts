import { expect, test } from "vitest";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { blocksOf, digestBlocks, type Readable } from "./blocks-of.ts";

const page = (parts: Partial<Readable> = {}): Readable => ({
  ...snapshotOf("", "html", "https://shop.example/"),
  ...parts,
});
const line = (text: string): Readable["text"][number] => ({ role: "paragraph", area: "main", text });
const texts = (parts: Partial<Readable>, kind: string) =>
  blocksOf(page(parts)).flatMap((block) => (block.kind === kind ? [block.text] : []));

test("a page consists of blocks of every kind, each once", () => {
  const blocks = blocksOf(
    page({
      redirects: [{ url: "http://old.example/", status: 301 }],
      headers: [
        ["server", "nginx"],
        ["content-security-policy", "script-src 'nonce-a1b2c3'"],
      ],
      title: "Shop",
      text: [line("In stock"), line("In  stock"), line("Write to Sales@Shop.example today")],
      links: [
        { href: "https://shop.example/careers", text: "Careers" },
        { href: "mailto:jobs@shop.example?subject=Hi", text: "Jobs" },
      ],
      forms: [{ action: "https://shop.example/login", method: "post", inputs: [] }],
      scripts: [{ src: "https://cdn.example/a.js", sha256: "ab12" }],
      thirdPartyHosts: ["cdn.example"],
      cookies: [{ name: "sid", domain: "", secure: true, httpOnly: true, sameSite: "" }],
    }),
  );
  expect(blocks).toEqual([
    { kind: "status", text: "200" },
    { kind: "title", text: "Shop" },
    { kind: "host", text: "shop.example" },
    { kind: "host", text: "old.example" },
    { kind: "host", text: "cdn.example" },
    { kind: "header", text: "server: nginx" },
    { kind: "header", text: "content-security-policy: script-src 'nonce'" },
    { kind: "cookie", text: "sid" },
    { kind: "script", text: "https://cdn.example/a.js" },
    { kind: "script-hash", text: "ab12" },
    { kind: "form", text: "POST https://shop.example/login" },
    { kind: "text", text: "In stock" },
    { kind: "text", text: "Write to Sales@Shop.example today" },
    { kind: "email", text: "sales@shop.example" },
    { kind: "link", text: "https://shop.example/careers" },
    { kind: "link", text: "mailto:jobs@shop.example?subject=Hi" },
    { kind: "email", text: "jobs@shop.example" },
  ]);
});

test.each([
  "date",
  "age",
  "etag",
  "set-cookie",
  "cf-ray",
  "x-request-id",
  "x-amz-cf-id",
  "x-cache",
  "server-timing",
  "expires",
])("the header %s, which differs with every response, is no block", (name) => {
  expect(texts({ headers: [[name, "1"]] }, "header")).toEqual([]);
});

test("the same blocks in another order, or a policy with another nonce, are the same page", () => {
  const one = page({ text: [line("a"), line("b")], headers: [["content-security-policy", "'nonce-x'"]] });
  const other = page({ text: [line("b"), line("a")], headers: [["content-security-policy", "'nonce-y'"]] });
  expect(digestBlocks(blocksOf(one))).toEqual(digestBlocks(blocksOf(other)));
  expect(digestBlocks(blocksOf(page({ text: [line("c")] })))).not.toEqual(digestBlocks(blocksOf(one)));
});

test("a long text is split into pieces, and each 300 characters of it are whole in one of them", () => {
  const long = Array.from({ length: 3_000 }, (_, i) => `word${i}`).join(" ");
  const pieces = texts({ text: [line(long)] }, "text");
  expect(pieces.length).toBeGreaterThan(3);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(4_000);
  for (let at = 0; at + 300 <= long.length; at += 97) {
    const part = long.slice(at, at + 300).trim();
    expect(pieces.some((piece) => piece.includes(part))).toBe(true);
  }
});

test("a block of 5 MB and a million blocks are cut at fixed limits", () => {
  const large = blocksOf(page({ text: [line("x y ".repeat(1_300_000))] }));
  expect(large.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(1_000_000);
  const many = blocksOf(page({ text: Array.from({ length: 1_000_000 }, (_, i) => line(String(i))) }));
  expect(many).toHaveLength(10_000);
});

test("NUL and halves of surrogate pairs are replaced by what PostgreSQL can store", () => {
  expect(texts({ text: [line("a\0b"), line("c\ud800d")] }, "text")).toEqual(["a␀b", "c\ufffdd"]);
});
