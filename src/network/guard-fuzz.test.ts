import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { noEgressAllow } from "./address-rules/egress-allow.ts";
import { createGuard } from "./guard.ts";

// The oracle treats addresses as bytes and uses Node's own BlockList; it shares no code with the rules.
const refused = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  ["168.63.129.16", 32],
] as const) {
  refused.addSubnet(net, bits, "ipv4");
}
refused.addRange("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ipv6");
refused.addRange("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ipv6");
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  refused.addSubnet(net, bits, "ipv6");
}

type Random = (below: number) => number;
type Bytes = number[];

/** mulberry32: the same 100,000 cases on every run. */
function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const heads: Bytes[] = [
  [0],
  [10],
  [100, 64],
  [100, 127],
  [127],
  [169, 254],
  [172, 16],
  [172, 31],
  [192, 0, 0],
  [192, 0, 2],
  [192, 88, 99],
  [192, 168],
  [198, 18],
  [198, 19],
  [198, 51, 100],
  [203, 0, 113],
  [224],
  [255],
  [168, 63, 129, 16],
  [169, 254, 169, 254],
];

const bytesFrom = (random: Random, head: Bytes, length: number) =>
  Array.from(
    { length },
    (_, at) => head[at] ?? (random(4) === 0 ? ([0, 1, 254, 255][random(4)] ?? 0) : random(256)),
  );

const anyIPv4 = (random: Random) =>
  bytesFrom(random, random(3) > 0 ? (heads[random(heads.length)] ?? []) : [], 4);

const numberOf = (bytes: Bytes) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

function spellNumber(value: number, random: Random): string {
  const zeros = "0".repeat(random(4));
  return [
    String(value),
    `0${zeros}${value.toString(8)}`,
    `0x${zeros}${value.toString(16)}`,
    `0X${value.toString(16)}`,
  ][random(4)] as string;
}

/** One of the spellings of an IPv4 host that WHATWG accepts: 1 to 4 parts, each in any base, then disguised. */
function spellIPv4(bytes: Bytes, random: Random): string {
  const parts = 1 + random(4);
  const firsts = bytes.slice(0, parts - 1).map((byte) => spellNumber(byte, random));
  const text =
    [...firsts, spellNumber(numberOf(bytes.slice(parts - 1)), random)].join(".") + (random(5) ? "" : ".");
  return disguise(text, random);
}

function disguise(text: string, random: Random): string {
  const style = random(6);
  if (style > 3) return text;
  return text
    .split("")
    .map((letter) => {
      if (random(3) > 0) return letter;
      if (style === 0) return `%${letter.charCodeAt(0).toString(16)}`;
      if (style === 1) return letter === "." ? (["。", "．", "｡"][random(3)] as string) : letter;
      if (style === 2)
        return /[0-9a-fx]/i.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter;
      return letter.toUpperCase();
    })
    .join("");
}

const groupsOf = (bytes: Bytes) =>
  Array.from({ length: 8 }, (_, at) => (bytes[at * 2] ?? 0) * 256 + (bytes[at * 2 + 1] ?? 0));

function spellIPv6(bytes: Bytes, random: Random): string {
  const groups = groupsOf(bytes);
  const pad = random(3) === 0 ? 4 : 1;
  let words = groups.map((group) => group.toString(16).padStart(pad, "0"));
  const dotted = random(4) === 0;
  if (dotted) words = [...words.slice(0, 6), bytes.slice(12).join(".")];
  let text = words.join(":");
  const start = groups.findIndex((group) => group === 0);
  if (start >= 0 && start < 6 && random(2)) {
    let end = start;
    while (groups[end] === 0 && end < 6) end += 1;
    text = `${words.slice(0, start).join(":")}::${words.slice(end).join(":")}`;
  }
  const zone = random(12) === 0 ? (["%eth0", "%25eth0", "%1"][random(3)] ?? "") : "";
  return (random(4) === 0 ? text.toUpperCase() : text) + zone;
}

/** IPv6 addresses that lead to an IPv4 address; refused even if that one is public. */
function carrier(inner: Bytes, random: Random): Bytes {
  const zeros = (count: number) => Array<number>(count).fill(0);
  const noise = (count: number) => Array.from({ length: count }, () => random(256));
  const kinds: Bytes[] = [
    [...zeros(10), 255, 255, ...inner],
    [...zeros(12), ...inner],
    [...zeros(8), 255, 255, 0, 0, ...inner],
    [0, 0x64, 0xff, 0x9b, ...zeros(8), ...inner],
    [0, 0x64, 0xff, 0x9b, 0, 1, ...noise(6), ...inner],
    [0x20, 0x02, ...inner, ...noise(10)],
    [0x20, 0x01, 0, 0, ...noise(8), ...inner.map((byte) => byte ^ 255)],
    [0x20, 0x01, 0, 0, ...inner, ...noise(8)],
    [0x2a, 0x00, ...noise(6), random(2) ? 0 : 2, 0, 0x5e, 0xfe, ...inner],
  ];
  return kinds[random(kinds.length)] as Bytes;
}

function anyIPv6(random: Random): Bytes {
  const starts: Bytes[] = [
    [0x20, 0x01],
    [0x20, 0x01, 0x0d, 0xb8],
    [0x20, 0x02],
    [0x3f, 0xff],
    [0x26, 0x06],
    [0x2a],
    [0xfc],
    [0xfd, 0, 0x0e, 0xc2],
    [0xfe, 0x80],
    [0xff, 2],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [],
  ];
  return bytesFrom(random, starts[random(starts.length)] ?? [], 16);
}

type Case = { host: string; mustRefuse: boolean; isPlain: boolean };

function makeCase(random: Random): Case {
  const kind = random(10);
  if (kind < 5) {
    const bytes = anyIPv4(random);
    const plain = bytes.join(".");
    const host = random(4) === 0 ? plain : spellIPv4(bytes, random);
    return { host, mustRefuse: refused.check(plain, "ipv4"), isPlain: host === plain };
  }
  const isCarrier = kind < 8;
  const bytes = isCarrier ? carrier(anyIPv4(random), random) : anyIPv6(random);
  const plain = groupsOf(bytes)
    .map((group) => group.toString(16))
    .join(":");
  const host = random(4) === 0 ? plain : spellIPv6(bytes, random);
  return {
    host: `[${host}]`,
    mustRefuse: isCarrier || refused.check(plain, "ipv6"),
    isPlain: host === plain,
  };
}

const wrappings: ((host: string) => string)[] = [
  (host) => `http://${host}/`,
  (host) => `https://${host}:8443/path?q=http://example.com/`,
  (host) => `http:${host}`,
  (host) => `HTTP:///${host}/#@example.com`,
  (host) => ` http://${host} `,
];

test("E5 judges 100,000 generated addresses correctly", async () => {
  const random = seeded(20261115);
  const seen = { refused: 0, allowed: 0 };
  const wronglyAllowed: string[] = [];
  const wronglyRefused: string[] = [];
  const guard = createGuard({
    allow: noEgressAllow,
    ownAddresses: [],
    resolve: async (answer) => ["93.184.216.34", fromLabel(answer)],
  });

  for (let at = 0; at < 100_000; at += 1) {
    const { host, mustRefuse, isPlain } = makeCase(random);
    // A quarter of the plain addresses are tested as the second DNS answer of a name.
    const isAnswer = isPlain && random(4) === 0;
    const url = isAnswer
      ? `http://${toLabel(host)}.example/`
      : (wrappings[random(wrappings.length)] as (host: string) => string)(host);
    const { ok } = await guard.judge(url, "page");
    seen[ok ? "allowed" : "refused"] += 1;
    if (ok && mustRefuse) wronglyAllowed.push(url);
    if (!ok && !mustRefuse && isPlain) wronglyRefused.push(url);
  }

  expect(wronglyAllowed).toEqual([]);
  expect(wronglyRefused).toEqual([]);
  expect(Math.min(seen.refused, seen.allowed)).toBeGreaterThan(5_000);
}, 60_000);

const toLabel = (host: string) =>
  Buffer.from(host)
    .toString("hex")
    .replace(/(.{60})/g, "$1.");
const fromLabel = (name: string) =>
  Buffer.from(name.replace(/\.example$/, "").replaceAll(".", ""), "hex")
    .toString()
    .replace(/^\[|\]$/g, "");
