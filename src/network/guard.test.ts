import { afterEach, expect, test, vi } from "vitest";
import { noEgressAllow, parseEgressAllow } from "./address-rules/egress-allow.ts";
import { failureSentences, refusalKind } from "./failure.ts";
import { createGuard, createLookupCache, type GuardOptions } from "./guard.ts";

afterEach(() => vi.useRealTimers());

function guardWith(answers: Record<string, string[][]>, more: Partial<GuardOptions> = {}) {
  const resolvedNames: string[] = [];
  const resolve = async (name: string) => {
    resolvedNames.push(name);
    return answers[name]?.shift() ?? [];
  };
  return { resolvedNames, guard: createGuard({ allow: noEgressAllow, ownAddresses: [], resolve, ...more }) };
}

test("E6 resolves a name once and dials the checked address", async () => {
  const { guard, resolvedNames } = guardWith({ "rebind.example": [["93.184.216.34"], ["127.0.0.1"]] });
  const judgement = await guard.judge("http://rebind.example./", "page");
  expect(resolvedNames).toEqual(["rebind.example"]);
  expect(judgement.ok && judgement.target.addresses.map((address) => address.text)).toEqual([
    "93.184.216.34",
  ]);
  expect(await guard.judge("http://rebind.example/", "page")).toMatchObject({ ok: false, code: "ADDRESS" });
});

test("E6 refuses a name if any of its addresses is refused or unreadable", async () => {
  const lists = [
    ["93.184.216.34", "10.0.0.1"],
    ["::ffff:93.184.216.34"],
    ["2606:4700::1", "fe80::1%eth0"],
    ["what"],
  ];
  const { guard } = guardWith({ "a.example": lists });
  for (const _ of [1, 2, 3, 4]) {
    expect(await guard.judge("http://a.example/", "page")).toEqual({
      ok: false,
      code: "ADDRESS",
      dependsOnLookup: true,
    });
  }
});

test("E6 refuses a name without an answer, after an error and after 5 s", async () => {
  const { guard } = guardWith({});
  expect(await guard.judge("http://none.example/", "page")).toMatchObject({ ok: false, code: "RESOLVE" });

  const failing = createGuard({ allow: noEgressAllow, resolve: () => Promise.reject(new Error("SERVFAIL")) });
  expect(await failing.judge("http://a.example/", "page")).toMatchObject({ ok: false, code: "RESOLVE" });

  vi.useFakeTimers();
  const silent = createGuard({ allow: noEgressAllow, resolve: () => new Promise(() => {}) });
  const settled = vi.fn<(code: string) => void>();
  const judging = silent
    .judge("http://a.example/", "page")
    .then((judgement) => settled(judgement.ok ? "OK" : judgement.code));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await judging;
  expect(settled).toHaveBeenCalledWith("RESOLVE");
});

test("E6 resolves nothing for an address literal, and each name once per capture", async () => {
  const { guard, resolvedNames } = guardWith({ "a.example": [["93.184.216.34"], ["127.0.0.1"]] });
  expect((await guard.judge("http://93.184.216.34/", "browser")).ok).toBe(true);
  const known = createLookupCache();
  expect((await guard.judge("http://a.example/1", "browser", known)).ok).toBe(true);
  expect((await guard.judge("http://a.example/2", "browser", known)).ok).toBe(true);
  expect(resolvedNames).toEqual(["a.example"]);
});

test("E5 refuses this machine's own addresses, except listed ones", async () => {
  const { guard } = guardWith(
    { "me.example": [["198.51.101.7"]] },
    { ownAddresses: ["198.51.101.7", "2a00::7"] },
  );
  expect(await guard.judge("http://198.51.101.7/", "page")).toMatchObject({ ok: false, code: "ADDRESS" });
  expect(await guard.judge("http://[2a00:0::7]/", "page")).toMatchObject({ ok: false, code: "ADDRESS" });
  expect(await guard.judge("http://me.example/", "page")).toMatchObject({ ok: false, code: "ADDRESS" });
  expect((await guard.judge("http://198.51.101.8/", "page")).ok).toBe(true);
  const listed = guardWith(
    {},
    { ownAddresses: ["198.51.101.7"], allow: parseEgressAllow("198.51.101.7:80") },
  );
  expect((await listed.guard.judge("http://198.51.101.7/", "page")).ok).toBe(true);
  expect((await listed.guard.judge("http://198.51.101.7:81/", "page")).ok).toBe(false);
});

test.for([
  ["10.0.0.0/8", "http://10.0.0.5/", false],
  ["10.0.0.0/8", "http://10.0.0.6/", true],
  ["10.0.0.5/32", "http://10.0.0.5/", true],
  ["0.0.0.0/0", "http://127.0.0.1/", false],
  ["127.0.0.0/8", "http://127.0.0.1/", true],
] as const)(
  "E8 with %s listed, a request to %s on this machine's network is allowed: %s",
  async ([list, url, ok]) => {
    const allow = parseEgressAllow(list);
    const { guard } = guardWith({}, { ownAddresses: ["10.0.0.5", "127.0.0.1"], allow });
    expect((await guard.judge(url, "page")).ok).toBe(ok);
  },
);

test("E8 allows a refused name or port only if it leads to listed addresses", async () => {
  const allow = parseEgressAllow("127.0.0.1:8080, 10.0.0.0/8");
  const answers = {
    localhost: [["127.0.0.1"], ["127.0.0.1", "::1"], ["93.184.216.34"]],
    "a.example": [["93.184.216.34"], ["10.0.0.1"]],
  };
  const { guard } = guardWith(answers, { allow });
  expect((await guard.judge("http://localhost:8080/", "page")).ok).toBe(true);
  expect(await guard.judge("http://localhost:8080/", "page")).toMatchObject({ code: "NAME" });
  expect(await guard.judge("http://localhost:8080/", "page")).toMatchObject({ code: "NAME" });
  expect(await guard.judge("http://a.example:25/", "page")).toMatchObject({ code: "PORT" });
  expect((await guard.judge("http://a.example:25/", "page")).ok).toBe(true);
});

test("E8 the list is logged at the start", () => {
  const info = vi.fn<(data: object, message: string) => void>();
  createGuard({ allow: parseEgressAllow("10.0.0.0/8"), logger: { debug: info, warn: info, info } });
  createGuard({ allow: noEgressAllow, logger: { debug: info, warn: info, info } });
  expect(info.mock.calls.map(([data]) => data)).toEqual([
    { egressAllow: "10.0.0.0/8" },
    { egressAllow: "none" },
  ]);
});

test("E7 judges each redirect from E2 on, and allows ten for pages and none for triggers", async () => {
  const { guard } = guardWith({ "b.example": [["93.184.216.34"], ["192.168.0.1"]] });
  const from = new URL("http://93.184.216.34/start/here");
  const next = await guard.judgeRedirect("../x?y#z", from, "page", 9);
  expect(next.ok && next.target.url.href).toBe("http://93.184.216.34/x?y#z");
  expect(await guard.judgeRedirect("/x", from, "page", 10)).toMatchObject({ code: "REDIRECTS" });
  expect(await guard.judgeRedirect("/x", from, "trigger", 0)).toMatchObject({ code: "REDIRECTS" });
  expect((await guard.judgeRedirect("//b.example/", from, "page", 0)).ok).toBe(true);
  expect(await guard.judgeRedirect("//b.example/", from, "page", 0)).toMatchObject({ code: "ADDRESS" });
  expect(await guard.judgeRedirect("//127.0.0.1/", from, "page", 0)).toMatchObject({ code: "ADDRESS" });
  expect(await guard.judgeRedirect("file:///etc/passwd", from, "page", 0)).toMatchObject({ code: "SCHEME" });
  expect(await guard.judgeRedirect("//u:p@b.example/", from, "page", 0)).toMatchObject({ code: "USERINFO" });
  expect(await guard.judgeRedirect("/a b", from, "page", 0)).toMatchObject({ code: "URL_INVALID" });
});

test("E11 gives one error for all refused URLs, and one for all names that can't be used", async () => {
  const { guard } = guardWith({ "inside.example": [["10.0.0.1"]], "public.example": [["93.184.216.34"]] });
  const errorFor = async (url: string) => {
    const judgement = await guard.judge(url, "page");
    return judgement.ok ? "OK" : failureSentences[refusalKind(judgement)];
  };
  const texts = [
    "http://127.0.0.1/",
    "http://127.0.0.1:22/",
    "http://10.1.1.1:9200/",
    "http://localhost/",
    "ftp://a.b/",
    "no",
  ];
  expect(new Set(await Promise.all(texts.map(errorFor)))).toEqual(new Set([failureSentences.guard]));
  expect(await errorFor("http://inside.example/")).toBe(failureSentences.dns);
  expect(await errorFor("http://missing.example/")).toBe(failureSentences.dns);
  expect(await errorFor("http://public.example/")).toBe("OK");
});
