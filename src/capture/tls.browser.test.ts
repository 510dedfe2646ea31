import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { visit } from "./browser/visit.ts";
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

test("issuer, expiry and protocol by plain HTTP", async () => {
  const ca = readFileSync(new URL("../network/testing/fixtures/ca.pem", import.meta.url), "utf8");
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, ca]);
  onTestFinished(() => setDefaultCACertificates(before));
  const snapshot = { ...encrypted, via: "http", timing: { tls: expect.any(Number) } };
  expect(await it.capture(`${it.zoo.secure}/security.txt`)).toMatchObject({ ok: true, snapshot });
});

test("issuer, expiry and protocol by the browser", async () => {
  const url = `${it.zoo.secure}/calm`;
  const snapshot = await it.pool.withTab(async (tab, lane) => {
    // Chromium trusts the system's authorities, and the product offers no way to add one.
    await tab.send("Security.setIgnoreCertificateErrors", { ignore: true });
    const seen = await visit(tab, { url, headers: [] });
    if (seen.outcome !== "page") throw new Error(seen.outcome);
    return pageSnapshot(seen.page, lane, url);
  });
  expect(snapshot).toMatchObject({ ...encrypted, via: "browser", timing: { tls: expect.any(Number) } });
});

test("without encryption there is neither issuer nor expiry", async () => {
  const plain = await it.capture("/calm");
  expect(plain).toMatchObject({ ok: true, snapshot: { tls: null, protocol: "http/1.1" } });
});
