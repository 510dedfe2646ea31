import { expect, test } from "vitest";
import { parseAddress } from "./address.ts";
import { isListed, parseEgressAllow } from "./egress-allow.ts";

function lists(text: string, address: string, port: number): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && isListed(parseEgressAllow(text), parsed, port);
}

test("E8 reads addresses with ports and CIDR ranges", () => {
  const text = " 127.0.0.1:8080 ,10.1.0.0/16,, [fd12::1]:443, fd34::/16 ";
  expect(parseEgressAllow(text).text).toBe("127.0.0.1:8080, 10.1.0.0/16, [fd12::1]:443, fd34::/16");
  expect(lists(text, "127.0.0.1", 8080)).toBe(true);
  expect(lists(text, "127.0.0.1", 80)).toBe(false);
  expect(lists(text, "10.1.255.255", 1)).toBe(true);
  expect(lists(text, "10.2.0.0", 1)).toBe(false);
  expect(lists(text, "fd12::1", 443)).toBe(true);
  expect(lists(text, "fd34:ffff::1", 22)).toBe(true);
  expect(lists(text, "fd35::", 22)).toBe(false);
});

test("E8 the list is empty by default", () => {
  expect(parseEgressAllow("").entries).toEqual([]);
  expect(lists("", "127.0.0.1", 80)).toBe(false);
});

test.each([
  "localhost:80",
  "127.0.0.1",
  "127.0.0.1:0",
  "127.0.0.1:65536",
  "127.0.0.1:",
  "127.1:80",
  "::1:80",
  "10.0.0.0/33",
  "::/129",
  "10.0.0.0/",
  "10.0.0.0/08",
  "*",
  "127.0.0.1:80:90",
])("E8 the error names the invalid entry %s", (entry) => {
  expect(() => parseEgressAllow(`10.0.0.0/8, ${entry}`)).toThrow(
    `EGRESS_ALLOW has "${entry}", which is neither address:port nor a CIDR range.`,
  );
});

test.each([
  "169.254.169.254:80",
  "169.254.169.254/32",
  "[fd00:ec2::254]:80",
  "fd00:ec2::254/128",
  "168.63.129.16:80",
  "100.100.100.200:80",
])("E8 refuses to list the metadata address %s", (entry) => {
  expect(() => parseEgressAllow(entry)).toThrow("it is a cloud metadata address");
});

test("E8 never lists an IPv4 address that is written as IPv6", () => {
  expect(() => parseEgressAllow("[::ffff:127.0.0.1]:80")).toThrow("write the IPv4 address it carries");
  expect(lists("::/0", "::ffff:127.0.0.1", 80)).toBe(false);
});
