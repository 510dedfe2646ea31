import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseAdHosts, readAdHosts } from "./ad-hosts.ts";

const list = `[Adblock Plus 2.0]
! Title: a list
# a comment
0.0.0.0 ads.example # why
127.0.0.1 localhost
127.0.0.1 two.example three.example
||rule.example^
||third.example^$third-party
||only-here.example^$domain=a.example
@@||good.rule.example^
BARE.example
example.net##.banner
/ads/*.js
`;

test.for<[string, boolean]>([
  ["ads.example", true],
  ["x.ads.example", true],
  ["badads.example", false],
  ["two.example", true],
  ["three.example", true],
  ["rule.example", true],
  ["good.rule.example", false],
  ["x.good.rule.example", false],
  ["third.example", true],
  ["only-here.example", false],
  ["bare.example", true],
  ["example.net", false],
  ["localhost", false],
  ["example", false],
])("%s is listed: %s", ([host, isListed]) => {
  expect(parseAdHosts(list).blocks(host, "page.test")).toBe(isListed);
});

test("a page's own site is never blocked", () => {
  expect(parseAdHosts("shop.example").blocks("ads.shop.example", "www.shop.example")).toBe(false);
});

test("a list that can't be one is refused with a sentence", () => {
  const folder = mkdtempSync(join(tmpdir(), "ad-hosts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (text: string) => {
    const path = join(folder, "list.txt");
    writeFileSync(path, text);
    return path;
  };
  expect(() => readAdHosts(join(folder, "none"))).toThrow("names a file that can't be read (ENOENT)");
  expect(() => readAdHosts(folder)).toThrow("names a file that can't be read (EISDIR)");
  expect(() => readAdHosts(file("<html>Sign in</html>"))).toThrow(/^lists no host/);
  const many = Array.from({ length: 1_001 }, (_, at) => `a${at}.example`).join("\n");
  expect(() => parseAdHosts(many, 1_000)).toThrow("lists more than 1,000 hosts");
  const large = file("a.example");
  truncateSync(large, 17 * 1024 * 1024);
  expect(() => readAdHosts(large)).toThrow("is larger than 16 MiB");
});
