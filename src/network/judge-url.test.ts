import { expect, test } from "vitest";
import { noEgressAllow, parseEgressAllow } from "./address-rules/egress-allow.ts";
import { judgeUrl } from "./judge-url.ts";

function codeOf(text: string, allow = "", base?: string): string {
  const judgement = judgeUrl(
    text,
    allow ? parseEgressAllow(allow) : noEgressAllow,
    base ? new URL(base) : undefined,
  );
  return judgement.ok ? "OK" : judgement.code;
}

test("E2 accepts 2,048 characters and refuses more", () => {
  const start = "http://example.com/";
  expect(codeOf(start + "a".repeat(2048 - start.length))).toBe("OK");
  expect(codeOf(start + "a".repeat(2049 - start.length))).toBe("URL_INVALID");
  expect(codeOf(`/${"a".repeat(2040)}`, "", "http://example.com/")).toBe("URL_INVALID");
});

test.each([
  "http://example.com/\t",
  "http://exa\nmple.com/",
  "\u0000http://example.com/",
  "http://example.com/\u007f",
  "http://example.com/\u0085",
  "http://example.com/a b",
  "http://example.com/a\u00a0b",
  "http://example.com/a\u3000",
  "\ufeffhttp://example.com/",
  "http:\\\\example.com\\",
  "http://example.com/?q=\\",
  "http://exa%00mple.com/",
  "http://[::1/",
  "http://1.2.3.4.5/",
  "http://[fe80::1%25eth0]/",
  "http://",
  "//example.com/",
  "example.com",
  "",
])("E2 refuses %j", (text) => {
  expect(codeOf(text)).toBe("URL_INVALID");
});

test("E2 refuses a megabyte of spaces before parsing it", () => {
  expect(codeOf(`http://a${" ".repeat(1_000_000)}b`)).toBe("URL_INVALID");
});

test("E2 ignores outer spaces and judges the parsed URL", () => {
  expect(codeOf("  https://EXAMPLE.com:443/ ")).toBe("OK");
  const judgement = judgeUrl("HTTPS:EXAMPLE.com:443", noEgressAllow);
  expect(judgement.ok && [judgement.parsed.url.href, judgement.parsed.port]).toEqual([
    "https://example.com/",
    443,
  ]);
});

test.each([
  "ftp://example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:,x",
  "ws://example.com/",
  "gopher://a.b/",
])("E2 refuses the scheme of %s", (text) => {
  expect(codeOf(text)).toBe("SCHEME");
});

test.each([
  "http://user@example.com/",
  "http://user:pass@example.com/",
  "http://:pass@example.com/",
  "http://a%40b@c.d/",
])("E2 refuses the userinfo of %s", (text) => {
  expect(codeOf(text)).toBe("USERINFO");
});

test("E3 accepts any port except 0 and the blocked ones", () => {
  const passing = [80, 443, 8080, 9200, 8500, 3306, 5432, 6379, 65535];
  expect(passing.map((port) => codeOf(`http://example.com:${port}/`))).toEqual(passing.map(() => "OK"));
  const blocked = [0, 1, 22, 25, 53, 110, 143, 465, 587, 993, 2049, 6000, 6667, 10080];
  expect(blocked.map((port) => codeOf(`http://8.8.8.8:${port}/`))).toEqual(blocked.map(() => "PORT"));
  expect(codeOf("http://example.com:65536/")).toBe("URL_INVALID");
});

test.each([
  "http://localhost/",
  "http://localhost./",
  "http://LOCALHOST:8080/",
  "http://foo.localhost/",
  "http://printer.local/",
  "http://printer.local./",
  "http://metadata.google.internal/",
  "http://router.lan/",
  "http://wiki.intranet/",
  "http://nas.home.arpa/",
  "http://expyuzz4wqqyqhjn.onion/",
  "http://intranet/",
  "http://com./",
  "http://example.com../",
  "http://a..b/",
  "http://.example.com/",
  "http://loc%61lhost/",
  "http://ｌｏｃａｌｈｏｓｔ/",
  "http://printer。local/",
])("E4 refuses the name in %s", (text) => {
  expect(codeOf(text)).toBe("NAME");
});

test.each([
  "http://example.com./",
  "http://notlocal.com/",
  "http://mylocalhost.net/",
  "http://bücher.example/",
  "http://a_b.example.com/",
  "http://home.arpa.example/",
])("E4 accepts the name in %s", (text) => {
  expect(codeOf(text)).toBe("OK");
});

test.each([
  "http://127.0.0.1/",
  "http://127.0.0.1./",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://017700000001/",
  "http://127.1/",
  "http://0x7f.1/",
  "http://0177.0.0.0x1/",
  "http://127%2e0%2e0%2e1/",
  "http://１２７.０.０.１/",
  "http://①②⑦.0.0.1/",
  "http://127。0。0。1/",
  "http://0/",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:8.8.8.8]/",
  "http://[::ffff:7f00:1]/",
  "http://[64:ff9b::8.8.8.8]/",
  "http://[2002:808:808::1]/",
  "http://[fd00:ec2::254]/",
  "http://169.254.169.254/latest/meta-data",
])("E5 refuses the address in %s", (text) => {
  expect(codeOf(text)).toBe("ADDRESS");
});

test("E8 listed addresses override E3, E4 and E5, and only those", () => {
  expect(codeOf("http://127.0.0.1:8080/", "127.0.0.1:8080")).toBe("OK");
  expect(codeOf("http://127.0.0.1:8081/", "127.0.0.1:8080")).toBe("ADDRESS");
  expect(codeOf("http://127.0.0.2:8080/", "127.0.0.1:8080")).toBe("ADDRESS");
  expect(codeOf("http://127.0.0.1:6667/", "127.0.0.0/8")).toBe("OK");
  expect(codeOf("http://[::1]:80/", "[::1]:80")).toBe("OK");
  expect(codeOf("http://localhost/", "127.0.0.1:80")).toBe("OK");
  expect(codeOf("ftp://127.0.0.1/", "127.0.0.0/8")).toBe("SCHEME");
  expect(codeOf("http://u@127.0.0.1/", "127.0.0.0/8")).toBe("USERINFO");
});

test("E8 refuses metadata and disguised addresses, however wide the list", () => {
  const wide = "0.0.0.0/0, ::/0";
  const urls = [
    "169.254.169.254",
    "168.63.129.16",
    "100.100.100.200",
    "[fd00:ec2::254]",
    "[::ffff:169.254.169.254]",
  ];
  expect(urls.map((host) => codeOf(`http://${host}/`, wide))).toEqual(urls.map(() => "ADDRESS"));
  expect(codeOf("http://169.254.169.253/", wide)).toBe("OK");
});
