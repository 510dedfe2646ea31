import { expect, test } from "vitest";
import { parseOperatorProxies } from "./parse-operator-proxies.ts";

test("the operator's proxies are read with protocol, port, credentials and lookups", () => {
  const text =
    "Berlin=socks5://ana:p%40ss@proxy.example, Tokyo=https://[2606:4700::1]:8443,Far=socks5h://p.example:9";
  expect(parseOperatorProxies(text)).toEqual([
    {
      name: "Berlin",
      protocol: "socks5",
      looksUpNames: false,
      host: "proxy.example",
      port: 1080,
      credentials: { username: "ana", password: "p@ss" },
    },
    { name: "Tokyo", protocol: "https", looksUpNames: false, host: "2606:4700::1", port: 8443 },
    { name: "Far", protocol: "socks5", looksUpNames: true, host: "p.example", port: 9 },
  ]);
  expect(parseOperatorProxies("")).toEqual([]);
});

test.for(["proxy.example:80", "a=ftp://x", "=http://x", "a=secret-password", "a=http://x:1,a=http://y:1"])(
  "%j is refused without repeating a password",
  (text) => {
    expect(() => parseOperatorProxies(text)).toThrow(/^(?!.*secret).*(must have entries like|twice)/);
  },
);
