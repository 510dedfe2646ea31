import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { TestEngine } from "#checks/testing/engine.ts";
import { buildVerifier } from "#evidence/build-verifier.ts";
import { main } from "#evidence/verify/main.ts";
import { crawlEngine, openShop, watchSite } from "./testing/watch-site.ts";

// A site's changes go where those of a page go. crawl-site.db.test.ts tests which they are.

let engine: TestEngine;
beforeAll(async () => {
  engine = await crawlEngine();
});

const html = { "content-type": "text/html" };
const titled = (title: string) => ({ headers: html, body: `<title>${title}</title>` });

test("conditions and ignored lines decide which of a site's changes are alerted, and its evidence is intact", async () => {
  const shop = await openShop({ sections: 1, perSection: 3, traps: [] });
  const job = await watchSite(engine, shop, {}, "/", {
    ignore: ["/.*item\\/2\\t.*/"],
    alertIf: { match: "all", conditions: [{ what: "text", is: "added", text: "Admin" }] },
  });
  shop.overrides.set("/section-0/item/2", titled("Ignored"));
  expect(await job.run(job.id)).toMatchObject({ changed: false, summary: "No change" });
  shop.overrides.set("/about", titled("Our team"));
  expect(await job.run(job.id)).toMatchObject({
    changed: true,
    untold: "“Admin” was not added",
  });
  shop.overrides.set("/section-0/item/1", titled("Admin"));
  expect(await job.run(job.id)).toMatchObject({ changed: true, untold: null });

  await engine.waitFor("the alert", async () => (await engine.countMailsTo(job.email)) > 0);
  const mail = await engine.mailTo(job.email);
  expect(mail.text).toContain("Admin");
  expect(await engine.countMailsTo(job.email)).toBe(1);

  const folder = mkdtempSync(join(tmpdir(), "watchglass-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const archive = join(folder, "export.zip");
  writeFileSync(archive, (await job.call("GET", `/api/jobs/${job.id}/export?format=zip`)).raw);
  const output: string[] = [];
  expect(main([archive], (line) => output.push(line), buildVerifier())).toBe(0);
  expect(output.join("\n")).toMatch(/^4 executions .* 4 with what was captured[^]*INTACT/);
});
