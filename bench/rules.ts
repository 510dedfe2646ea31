// How long it takes to test rules on a history: 200 captures of 200 kB, all different, 47 of them alerted, through the
// product's own code and database. The page has as many elements as real ones of that size (about 1,200). One more
// ignore rule replays only what was alerted; a selector, and the detector's own replay, process every capture.
//   npm run bench:rules [-- captures]

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { addExecutions } from "#checks/add-executions.ts";
import { openDetector } from "#checks/detection-threads/open-detector.ts";
import { storeCapture } from "#checks/store-capture.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { replay } from "#history/test-on-history/replay.ts";
import { openBlobs } from "#storage/blobs.ts";
import { addRefs, openCaptureCache } from "#storage/contents.ts";
import { openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { type Kept, listExecutionsBetween } from "#storage/executions.ts";
import { findJobToRun } from "#storage/jobs.ts";
import { migrate } from "#storage/migrations/migrate.ts";
import { seeded } from "./detection-speed/measure.ts";

const alertedCount = 47;
const captures = Number(process.argv[2] ?? 200);
const goalSeconds = (5 * captures) / 200;

const words =
  "the a lamp page price order ships from our store with each new list of things that people read".split(" ");

/** The nth capture: a token, an advertisement and a count differ each time, a price now and then. */
function draw(n: number): string {
  const random = seeded(7);
  const wordsOf = (count: number) =>
    Array.from({ length: count }, () => words[random(words.length)]).join(" ");
  const code = Array.from(
    { length: 1500 },
    (_, i) => `function f${i}(a){return a*${random(9999)}+"${wordsOf(3)}"}`,
  );
  const style = Array.from(
    { length: 1400 },
    (_, i) => `.c${i}{margin:${random(90)}px;color:#${random(999)}}`,
  );
  const sections = Array.from(
    { length: 45 },
    (_, i) =>
      `<section class="c${i}"><h2>${wordsOf(4)} ${i}</h2>${`<p class="text">${wordsOf(30)}.</p>`.repeat(5)}</section>`,
  );
  const items = Array.from(
    { length: 200 },
    (_, i) =>
      `<li class="item"><a href="/things/${i}">${wordsOf(3)} ${i}</a> <b>${random(500) + (i === 7 ? Math.floor(n / 10) : 0)}.00 €</b></li>`,
  );
  return `<!doctype html><html lang="en"><head><title>Store</title><meta name="csrf" content="${n}f3e9ab77c0d1${n}">
<style>${style.join("\n")}</style><script>${code.join("\n")}</script></head><body><nav>${'<a href="/n">Menu</a>'.repeat(40)}</nav>
<div class="ad">Offer ${words[n % words.length]} of the day, number ${n}</div><main><h1>All things</h1>
<ul>${items.join("\n")}</ul>${sections.join("\n")}</main><footer><p>${1000 + n} people were here</p></footer></body></html>`;
}

const isAlerted = (n: number) =>
  Math.floor((n * alertedCount) / 200) > Math.floor(((n - 1) * alertedCount) / 200);

const folder = await mkdtemp(join(tmpdir(), "bench-rules-"));
await chmod(folder, 0o711);
const postgres = await startEmbeddedPostgres(folder);
const detector = openDetector(availableParallelism());
let isFast = true;
try {
  await migrate(postgres.connectionString);
  const database = openDatabase(postgres.connectionString);
  const { db } = database;
  const deps = { db, blobs: await openBlobs(pathToFileURL(join(folder, "blobs"))), detector };
  const { rows: created } = await sql<{ account: string; job: string }>`
    with account as (
      insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash)
      select id, id, id, 'A', 'B', '', '', uuid_send(id) from (select gen_random_uuid() as id) as a returning id
    ), grouped as (
      insert into groups (account_id, name) select id, 'g' from account returning id, account_id
    )
    insert into jobs (account_id, group_id, name, url, host, frequency_minutes)
    select account_id, id, 'j', 'https://store.example/', 'store.example', 60 from grouped
    returning id as job, account_id as account`.execute(db);
  const { account = "", job: jobId = "" } = created[0] ?? {};
  let previous: Kept | null = null;
  for (let n = 0; n < captures; n++) {
    const page = draw(n);
    if (n === 0) console.log(`${captures} captures of ${Math.round(page.length / 1000)} kB`);
    const text = Array.from(page.matchAll(/<(?:p|h2|li)[^>]*>(.*?)<\/(?:p|h2|li)>/g), ([, line = ""]) => ({
      role: "paragraph" as const,
      area: "main",
      text: line.replace(/<[^>]+>/g, ""),
    }));
    const snapshot = { ...snapshotOf(page, "html", "https://store.example/"), text, via: "browser" as const };
    const stored: Kept = await storeCapture(
      deps,
      account,
      snapshot,
      previous,
      openCaptureCache(deps, account),
    );
    previous = stored;
    await db.transaction().execute(async (tx) => {
      await addRefs(tx, account, [stored.html, stored.body, stored.facts], 1);
      await addExecutions(tx, [
        {
          job_id: jobId,
          account_id: account,
          status_code: 200,
          changed: isAlerted(n),
          folded: false,
          failure: null,
          error: null,
          similarity: n === 0 ? null : 99,
          severity: isAlerted(n) ? "notice" : null,
          summary: "",
          truncated: false,
          via: "browser",
          duration_ms: 1,
          stages: null,
          attempts: 1,
          baseline_id: n === 0 ? null : jobId,
          kept: stored,
          isBaseline: true,
        },
      ]);
    });
  }
  const job = await findJobToRun(db, jobId);
  if (!job) throw new Error("the job was not found");
  const { rows } = await listExecutionsBetween(db, { accountId: account, jobId }, captures);
  const ruleTests = {
    "another ignore rule": { selector: null, ignore: [".ad", "/\\d+ people/"] },
    "a selector": { selector: "main ul", ignore: [] },
    "a replay of the detector": { selector: null, ignore: [], all: true },
  };
  for (const [name, { all = false, ...rules }] of Object.entries<{
    selector: string | null;
    ignore: string[];
    all?: boolean;
  }>(ruleTests)) {
    const settings = {
      ...rules,
      awaited: false,
      lookup: null,
      values: [],
      alertIf: null,
      notInherited: null,
      joinsSelector: false,
      steps: null,
      compareAs: null,
    };
    const seconds: number[] = [];
    let alerts = 0;
    for (let round = 0; round < 3; round++) {
      const started = performance.now();
      alerts = 0;
      for await (const found of replay(deps, job, settings, rows, { isDetectorTried: all }))
        alerts += found.filter(({ now }) => now.state === "alert").length;
      seconds.push((performance.now() - started) / 1000);
    }
    const median = seconds.sort((a, b) => a - b)[1] ?? 0;
    const hasGoal = !all;
    if (hasGoal && median > goalSeconds) isFast = false;
    console.log(
      `${name}: median ${median.toFixed(1)} s, ${alerts} alerts instead of ${rows.filter(({ changed }) => changed).length}${hasGoal ? ` (goal ${goalSeconds} s)` : ""}`,
    );
  }
  await database.close();
} finally {
  await detector.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(isFast ? 0 : 1);
