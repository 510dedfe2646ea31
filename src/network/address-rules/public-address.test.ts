import { expect, test } from "vitest";
import { isSameAddress, parseAddress } from "./address.ts";
import { embedsIPv4, isMetadataAddress, isPublicAddress } from "./public-address.ts";

function read(text: string) {
  const address = parseAddress(text);
  if (!address) throw new Error(`cannot read ${text}`);
  return address;
}

const refusedEdges = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.88.99.0", "192.88.99.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "255.255.255.255"],
  ["168.63.129.16", "168.63.129.16"],
  ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["64:ff9b::808:808", "64:ff9b:1::808:808"],
  ["::ffff:8.8.8.8", "::8.8.8.8"],
  ["2a00:1450::5efe:808:808", "2a00:1450::200:5efe:808:808"],
] as const;

test.each(refusedEdges)("E5 refuses %s and %s", (first, last) => {
  expect([isPublicAddress(read(first)), isPublicAddress(read(last))]).toEqual([false, false]);
});

test.each([
  "1.0.0.0",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "191.255.255.255",
  "192.0.1.0",
  "192.0.3.0",
  "192.88.98.255",
  "192.88.100.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "198.51.99.255",
  "198.51.101.0",
  "203.0.112.255",
  "203.0.114.0",
  "223.255.255.255",
  "168.63.129.15",
  "168.63.129.17",
  "2000::",
  "2001:200::",
  "2001:db7:ffff::",
  "2001:db9::",
  "2003::",
  "3ffe:ffff::",
  "3fff:1000::",
  "2606:4700:4700::1111",
])("E5 allows %s", (text) => {
  expect(isPublicAddress(read(text))).toBe(true);
});

test("E5 recognizes every form of IPv6 address that carries an IPv4 address", () => {
  const carriers = ["::ffff:1.2.3.4", "::1.2.3.4", "::ffff:0:102:304", "64:ff9b::102:304", "64:ff9b:1::1"];
  const more = ["2002:102:304::1", "2001:0:102:304::1", "2a00::5efe:102:304"];
  expect([...carriers, ...more].filter((text) => !embedsIPv4(read(text)))).toEqual([]);
  expect(["::", "::1", "2a00::1", "1.2.3.4"].filter((text) => embedsIPv4(read(text)))).toEqual([]);
});

test("E5 parses every spelling of an address to the same bits", () => {
  const same = [
    ["::1.2.3.4", "::102:304"],
    ["::0.0.0.1", "::1"],
    ["::FFFF:1.2.3.4", "0:0:0:0:0:ffff:102:304"],
    ["64:ff9b::8.8.8.8", "64:ff9b::808:808"],
    ["2A00:0::07", "2a00::7"],
  ] as const;
  expect(same.filter(([one, other]) => !isSameAddress(read(one), read(other)))).toEqual([]);
  expect(isSameAddress(read("::1.2.3.4"), read("::ffff:1.2.3.4"))).toBe(false);
});

test("E8 recognizes the metadata addresses", () => {
  const known = ["169.254.169.254", "fd00:ec2::254", "168.63.129.16", "100.100.100.200", "169.254.170.2"];
  expect(known.map((text) => isMetadataAddress(read(text)))).toEqual([true, true, true, true, true]);
  expect(isMetadataAddress(read("169.254.169.255"))).toBe(false);
});

test.each([
  "1.2.3",
  "1.2.3.4.5",
  "01.2.3.4",
  "256.1.1.1",
  "0x7f.0.0.1",
  "1.2.3.4 ",
  "",
  "fe80::1%eth0",
  "[::1]",
])("E5 doesn't parse another spelling: %j", (text) => {
  expect(parseAddress(text)).toBeNull();
});

test.each([
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "::1::",
  "1::2::3",
  ":::",
  "12345::",
  "1:2:3:4:5:6:7::8",
  "1.2.3.4::",
])("E5 doesn't parse invalid IPv6: %j", (text) => {
  expect(parseAddress(text)).toBeNull();
});
