import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noEgressAllow } from "./address-rules/egress-allow.ts";
import { createGuard, createLookupCache } from "./guard.ts";
import { openResolver } from "./resolve-name.ts";

/** A name server that knows two names, one of them by IPv4 only, and never answers for anything else. */
const server = createSocket("udp4");
const queriedNames = new Set<string>();
let address = "";

beforeAll(async () => {
  server.on("message", (query, from) => {
    const name = nameIn(query);
    queriedNames.add(name);
    const isIPv4 = query.readUInt16BE(12 + name.length + 2) === 1;
    if (name !== "victim.example" && !(name === "half.example" && isIPv4)) return;
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, isIPv4 ? 1 : 0, 0, 0, 0, 0]);
    const question = query.subarray(12, 12 + name.length + 2 + 4);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34]);
    server.send(Buffer.concat([head, question, ...(isIPv4 ? [record] : [])]), from.port, from.address);
  });
  await once(server.bind(0, "127.0.0.1"), "listening");
  address = `127.0.0.1:${server.address().port}`;
});
afterAll(() => void server.close());

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at]; at += (query[at] ?? 0) + 1) {
    labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)));
  }
  return labels.join(".").toLowerCase();
}

test("E6 names whose server never answers don't delay others, and a capture resolves few at a time", async () => {
  const guard = createGuard({
    allow: noEgressAllow,
    ownAddresses: [],
    resolve: openResolver([address], new Map()),
  });
  const answers = createLookupCache();
  const dead = Promise.all(
    Array.from({ length: 400 }, (_, i) => guard.judge(`http://dead-${i}.example/`, "browser", answers)),
  );
  const judged = await guard.judge("http://victim.example/", "page");
  expect(judged).toMatchObject({ ok: true, target: { addresses: [{ text: "93.184.216.34" }] } });
  expect(queriedNames.size).toBeLessThanOrEqual(17);
  void dead;
});

test("a lookup ends when its signal is aborted, and the hosts file takes precedence", async () => {
  const hosts = new Map([["inside.example", ["10.0.0.7"]]]);
  const resolve = openResolver([address], hosts);
  expect(await resolve("Inside.example", AbortSignal.abort())).toEqual(["10.0.0.7"]);
  const over = new AbortController();
  const waiting = resolve("dead.example", over.signal);
  over.abort();
  expect(await waiting).toEqual([]);
});

test("an IPv4 answer is used even if the server never answers for IPv6", async () => {
  const resolve = openResolver([address], new Map());
  expect(await resolve("half.example", new AbortController().signal)).toEqual(["93.184.216.34"]);
});

test("a capture may resolve at most two hundred names", async () => {
  const answers = createLookupCache();
  let lookups = 0;
  for (let i = 0; i < 300; i++) await answers(`name-${i % 250}`, async () => [null].slice(lookups++));
  expect(lookups).toBe(200);
});
