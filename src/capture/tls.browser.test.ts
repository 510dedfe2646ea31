import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { visit } from "./browser/visit.ts";
import type { BrowserPool } from "./browser-pool.ts";
import { capture } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";
import { pageSnapshot } from "./to-snapshot.ts";

let it: TestCapture;
beforeAll(async () => {
  it = await openCapture();
});
afterAll(() => it.close());

const encrypted = {
  protocol: "http/1.1",
  status: 200,
  tls: { issuer: "Root", expiresAt: "2126-10-21T14:22:32.000Z" },
};

test.for(["/calm", "/security.txt"])("a certificate nobody vouches for is a failure: %s", async (path) => {
  const failure = { kind: "tls" };
  expect(await it.capture(it.zoo.secure + path)).toMatchObject({ ok: false, failure });
});

/** Plain HTTP trusts the zoo's authority until the test ends. */
function trustZoo(): void {
  const ca = readFileSync(new URL("../network/testing/fixtures/ca.pem", import.meta.url), "utf8");
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, ca]);
  onTestFinished(() => setDefaultCACertificates(before));
}

/** Chromium trusts the system's authorities, and the product offers no way to add one. */
const trusting: BrowserPool["withTab"] = (work, isAlone) =>
  it.pool.withTab(async (tab, lane) => {
    await tab.send("Security.setIgnoreCertificateErrors", { ignore: true });
    return work(tab, lane);
  }, isAlone);

test("issuer, expiry and protocol by plain HTTP", async () => {
  trustZoo();
  const snapshot = { ...encrypted, via: "http", timing: { tls: expect.any(Number) } };
  expect(await it.capture(`${it.zoo.secure}/security.txt`)).toMatchObject({ ok: true, snapshot });
});

test("issuer, expiry and protocol by the browser", async () => {
  const url = `${it.zoo.secure}/calm`;
  const snapshot = await trusting(async (tab, lane) => {
    const seen = await visit(tab, { url, headers: [] });
    if (seen.outcome !== "page") throw new Error(seen.outcome);
    return pageSnapshot(seen.page, lane, url);
  });
  expect(snapshot).toMatchObject({ ...encrypted, via: "browser", timing: { tls: expect.any(Number) } });
});

test("R9 an HTTP/2 stream that is reset cuts its document", async () => {
  const seen = await Promise.all(
    ["/whole", "/cut"].map((path) =>
      trusting((tab) => visit(tab, { url: it.zoo.http2 + path, headers: [] })),
    ),
  );
  expect(seen).toMatchObject([
    { outcome: "page", page: { document: { response: { protocol: "h2" } } } },
    { outcome: "failed", failure: { kind: "cut" } },
  ]);
});

test("R9 where a change rests on it, a document behind TLS is cut if its coding ends early", async () => {
  trustZoo();
  const pool = { withTab: trusting, requestHeaders: it.pool.requestHeaders, isWary: false };
  const take = (path: string, isConfirmation: boolean) =>
    capture(
      { ...it.deps, pool: pool as unknown as BrowserPool },
      { url: it.zoo.secure + path, isConfirmation },
    );
  // The gateway cannot see it, and Chromium does not mind.
  expect(await take("/cut-gzip", false)).toMatchObject({ ok: true });
  for (const path of ["/cut-gzip", "/cut-br", "/cut-br-but-by-gzip"]) {
    expect([path, await take(path, true)]).toMatchObject([path, { ok: false, failure: { kind: "cut" } }]);
  }
  expect(await take("/whole-gzip", true)).toMatchObject({ ok: true, snapshot: { via: "browser" } });
});

test("without encryption there is neither issuer nor expiry", async () => {
  const plain = await it.capture("/calm");
  expect(plain).toMatchObject({ ok: true, snapshot: { tls: null, protocol: "http/1.1" } });
});
