import { type Address, isIn, ranges } from "./address.ts";

const refusedIPv4 = ranges(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  "168.63.129.16/32",
);

const globalIPv6 = ranges("2000::/3");
const refusedIPv6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

const unspecifiedAndLoopback = ranges("::/127");

// Ranges that carry an IPv4 address: mapped, compatible, translated, NAT64 (well-known and local), 6to4 and Teredo.
const carriers = ranges(
  "::ffff:0:0/96",
  "::/96",
  "::ffff:0:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2002::/16",
  "2001::/32",
);

// Addresses where clouds hand out credentials: AWS (instance, container, pod), Azure, Alibaba, Oracle, Google,
// Tencent, Scaleway, OpenStack.
const metadata = ranges(
  "169.254.169.254/32",
  "169.254.170.2/32",
  "169.254.170.23/32",
  "168.63.129.16/32",
  "100.100.100.200/32",
  "192.0.0.192/32",
  "169.254.0.23/32",
  "169.254.42.42/32",
  "fd00:ec2::254/128",
  "fd00:ec2::23/128",
  "fd00:c1::a9fe:a9fe/128",
  "fd20:ce::254/128",
  "fd00:42::42/128",
  "fe80::a9fe:a9fe/128",
);

/** Whether anyone on the internet could reach this address as well as we can (E5). */
export function isPublicAddress(address: Address): boolean {
  if (address.family === 4) return !isIn(address, refusedIPv4);
  return isIn(address, globalIPv6) && !isIn(address, refusedIPv6) && !embedsIPv4(address);
}

/** Whether the bits of an IPv6 address show that it leads to an IPv4 address. */
export function embedsIPv4(address: Address): boolean {
  if (!("parts" in address.ip) || isIn(address, unspecifiedAndLoopback)) return false;
  const [, , , , flags, interfaceHead] = address.ip.parts;
  const isIsatap = (flags === 0 || flags === 0x200) && interfaceHead === 0x5efe;
  return isIsatap || isIn(address, carriers);
}

export function isMetadataAddress(address: Address): boolean {
  return isIn(address, metadata);
}
