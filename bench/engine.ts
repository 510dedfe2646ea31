// From due to delivered: the whole product on a site of a hundred hosts, compared with a bare capture loop over the
// same pages; ratios within one run.
//   npm run bench:engine [-- rates|index|validator|latency|telegram|host|fair|memory|idle|peers ...]
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { capture } from "#capture/capture-page.ts";
import { startTelegramServer } from "#channels/testing/telegram-server.ts";
import { openCapturer } from "./capture/open-capturer.ts";
import { median, rate, ratio } from "./capture/ratios.ts";
import { show } from "./capture/show.ts";
import { openUrlwatch } from "./capture/urlwatch.ts";
import { processorSeconds } from "./engine/processor-seconds.ts";
import { startProduct } from "./engine/product.ts";
import { startSite } from "./engine/site.ts";

const wanted = new Set(process.argv.slice(2));
const wants = (part: string) => wanted.size === 0 || wanted.has(part);
const rounds = Number(process.env.ROUNDS ?? 3);
const pages = Number(process.env.PAGES ?? 100);
/** Fewer, so that there are more rounds to compare; no round begins later than this. */
const indexPages = Number(process.env.PAGES ?? 30);
const indexMs = 250_000;
const cores = availableParallelism();

const site = await startSite();
const telegram = await startTelegramServer();
const folder = await mkdtemp(join(tmpdir(), "watchglass-engine-"));
/** While this file exists, the product has no page index. */
const withoutIndex = join(folder, "without-index");
const product = await startProduct({
  TELEGRAM_BOT_TOKEN: telegram.token,
  TELEGRAM_API_ROOT: telegram.url,
  ...(wants("index") && {
    NODE_OPTIONS: `--import=${new URL("engine/switch-index.ts", import.meta.url)}`,
    WITHOUT_INDEX: withoutIndex,
  }),
});

/** Pages per second of captures alone, with a browser that is started for them and closed afterwards. */
async function captureAlone(urls: string[], width: number): Promise<number> {
  await using capturer = await openCapturer(width);
  const captureOne = async (index: number) => {
    const result = await capture(capturer.deps, { url: urls[index % urls.length] ?? "" });
    if (!result.ok) throw new Error(result.failure.message);
  };
  await rate(width, width, captureOne);
  return await rate(urls.length, width, captureOne);
}

const percentile = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN;

const targets = (name: string, count: number, host = site.host) =>
  Array.from({ length: count }, (_, i) => ({ host: host(i), path: `/${name}/${i}` }));
const urlsOf = (all: { host: string; path: string }[]) =>
  all.map(({ host, path }) => `http://${host}${path}`);

async function ratesPart(): Promise<void> {
  const rates: Record<string, number[]> = { alone: [], first: [], unchanged: [], changed: [] };
  const addRate = (name: string, value: number) => rates[name]?.push(value);
  for (let round = 0; round < rounds; round++) {
    const all = targets(`round-${round}`, pages);
    const ids = await product.jobs(await product.account(), all);
    addRate("alone", await captureAlone(urlsOf(all), cores + 1));
    addRate("first", await product.drain(ids));
    addRate("unchanged", await product.drain(ids));
    site.change();
    addRate("changed", await product.drain(ids));
    const { rows } = await sql<{
      changed: number;
    }>`select sum(changes)::integer as changed from jobs where id = any(${ids}::uuid[])`.execute(product.db);
    if (rows[0]?.changed !== pages) console.log(`${rows[0]?.changed} of ${pages} changes were found`);
  }
  const goals: Record<string, string> = { first: "0.35", unchanged: "0.75", changed: "0.35" };
  show("capture alone, pages/s", median(rates.alone ?? []));
  for (const [name, goal] of Object.entries(goals)) {
    show(`${name}, checks/s`, median(rates[name] ?? []));
    show(`${name} / capture alone`, ratio(rates[name], rates.alone), `at least ${goal}`);
  }
}

/** What the page index costs: the same product checks with it and without it, in turn. */
async function indexPart(): Promise<void> {
  const ends = performance.now() + indexMs;
  const variants = (round: string, count: number) =>
    Promise.all(
      ["with", "without"].map(async (name) => {
        const ids = await product.jobs(await product.account(), targets(`${name}-${round}`, count));
        return { name, ids };
      }),
    );
  const drain = async ({ name, ids }: { name: string; ids: string[] }) => {
    await (name === "with" ? rm(withoutIndex, { force: true }) : writeFile(withoutIndex, ""));
    const before = await processorSeconds(process.pid);
    const checksPerSecond = await product.drain(ids);
    const after = await processorSeconds(process.pid);
    const all = after.all - before.all;
    return { rate: checksPerSecond, all, own: after.withoutBrowser - before.withoutBrowser };
  };
  for (const variant of await variants("warm-up", 10)) await drain(variant);
  const measured: Record<string, { rates: number[]; costs: number[] }> = {};
  for (let round = 0; round < rounds && performance.now() < ends; round++) {
    const both = await variants(String(round), indexPages);
    for (const [part, step] of ["first", "unchanged", "changed"].entries()) {
      if (step === "changed") site.change();
      const isReversed = (round + part) % 2 === 1;
      const found = [];
      for (const variant of isReversed ? both.toReversed() : both) found.push(await drain(variant));
      const [indexed, bare] = isReversed ? found.toReversed() : found;
      if (!indexed || !bare) throw new Error("nothing was measured");
      const { rates, costs } = (measured[step] ??= { rates: [], costs: [] });
      rates.push(indexed.rate / bare.rate);
      // The index works in the server and the database; the browser's share varies more than the index costs.
      costs.push((indexed.own - bare.own) / bare.all);
      console.log(
        `round ${round + 1}, ${step}: checks/s with / without ${last(rates)}, added processor time ${last(costs)}`,
      );
    }
    const ids = both.find(({ name }) => name === "without")?.ids ?? [];
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from page_stays
      where job_id = any(${ids}::uuid[])`.execute(product.db);
    if (rows[0]?.count !== 0) throw new Error("the checks without the index wrote to it");
  }
  for (const [step, { rates, costs }] of Object.entries(measured)) {
    show(`${step}: checks/s with the page index / without`, median(rates), "at least 0.95");
    show(`${step}: processor time it adds / that of a check, %`, 100 * median(costs), "at most 5");
  }
}

const last = (values: number[]) => values.at(-1)?.toFixed(3);

async function validatorPart(): Promise<void> {
  const [first = ""] = await product.jobs(await product.account(), [{ host: site.host(0), path: "/static" }]);
  // The first check captures the page; the next ones prove that plain HTTP is enough.
  for (let i = 0; i < 3; i++) await product.drain([first]);
  const ids = await product.clone(first, Number(process.env.CLONES ?? 1500));
  const rates = { one: [] as number[], two: [] as number[] };
  await product.drain(ids.slice(0, 300));
  for (let i = 0; i < rounds; i++) rates.one.push(await product.drain(ids));
  const { rows } = await sql<{
    by: string;
    count: number;
  }>`select coalesce(via, 'none') as by, count(*)::integer as count from executions
    where job_id = any(${ids}::uuid[]) and number > 1 group by 1`.execute(product.db);
  for (const { by, count } of rows) if (by !== "http") console.log(`${count} checks were answered by ${by}`);
  show("answered by validator, checks/s", median(rates.one), "at least 200");
  if (cores < 4) return console.log(`two workers compared with one: skipped, as ${cores} cores are too few`);
  const second = await product.start({ ROLE: "worker" });
  for (let i = 0; i < rounds; i++) rates.two.push(await product.drain(ids));
  second.kill("SIGTERM");
  show("two worker processes / one", median(rates.two) / median(rates.one), "at least 1.8");
}

async function latencyPart(): Promise<void> {
  const all = targets("latency", 40);
  const ids = await product.jobs(await product.account(), all);
  await product.drain(ids);
  const waits: number[] = [];
  for (const [i, id] of ids.entries()) {
    await site.visits();
    const at = await product.due([id]);
    await sleep(1500 + Math.random() * 500);
    const visit = (await site.visits()).find(({ path }) => path === all[i]?.path);
    waits.push((visit?.at ?? Number.POSITIVE_INFINITY) - at);
  }
  show("from due to the page's server, ms, median", median(waits));
  show("from due to the page's server, ms, p99", percentile(waits, 0.99), "under 300 for 'capture begins'");
}

async function telegramPart(): Promise<void> {
  telegram.state.perChat = 1000;
  const waits: number[] = [];
  // More than five changes of one account within a minute are sent together, later.
  for (const chat of ["1001", "1002", "1003", "1004", "1005"]) {
    const { token, id, me } = await product.signUp();
    const [bot] = me.UserBotToken as { telegramPrivateToken: string }[];
    await telegram.say(chat, `/addtoken ${bot?.telegramPrivateToken}`);
    await telegram.message(chat);
    await product.call("/api/settings/notifications", { emailNotifications: false }, token);
    const ids = await product.jobs(id, targets(`telegram-${chat}`, 5));
    await product.drain(ids);
    for (const job of ids) waits.push(await measureAlertMs(job));
  }
  show("from a confirmed change to Telegram's server, ms, median", median(waits));
  show("from a confirmed change to Telegram's server, ms, p99", percentile(waits, 0.99), "under 1500");
}

/** Milliseconds from when a change was recorded to when Telegram's server had the message. */
async function measureAlertMs(job: string): Promise<number> {
  site.change();
  telegram.sent.length = 0;
  await product.drain([job]);
  for (let i = 0; i < 400 && telegram.sent.length === 0; i++) await sleep(25);
  const { rows } = await sql<{ at: Date }>`select created_at as at from executions where job_id = ${job}
    order by id desc limit 1`.execute(product.db);
  return (
    performance.timeOrigin + (telegram.sent[0]?.at ?? Number.POSITIVE_INFINITY) - (rows[0]?.at.getTime() ?? 0)
  );
}

async function hostPart(): Promise<void> {
  const all = targets("one-host", 100, () => site.host(0));
  const ids = await product.jobs(await product.account(), all);
  await product.drain(ids);
  const rates = { alone: [] as number[], checks: [] as number[] };
  for (let i = 0; i < rounds; i++) {
    rates.alone.push(await captureAlone(urlsOf(all), 2));
    rates.checks.push(await product.drain(ids));
  }
  show("two open pages of one host, pages/s", median(rates.alone));
  show("one host of 100 pages / two open pages", ratio(rates.checks, rates.alone), "at least 0.8");
}

async function fairPart(): Promise<void> {
  const burst = await product.jobs(await product.account(), targets("burst", 400));
  const others: { id: string; path: string }[] = [];
  for (let i = 0; i < 10; i++) {
    const target = { host: site.host(150 + i), path: `/other/${i}` };
    const [id = ""] = await product.jobs(await product.account(), [target]);
    others.push({ id, path: target.path });
  }
  await site.visits();
  await product.due(burst);
  await sleep(3000);
  const from = await product.due(others.map(({ id }) => id));
  await sleep(15_000);
  const visits = await site.visits();
  const waits = others.map(
    ({ path }) => (visits.find((visit) => visit.path === path)?.at ?? Number.NaN) - from,
  );
  show("ten accounts beside a burst of 400, ms to begin, slowest", Math.max(...waits), "under 2000");
  const expected = burst.length * 1;
  while ((await product.executions(burst)) < expected) await sleep(1000);
}

type Usage = { cpu: number; bytes: number };

/** CPU time and memory of the product and its database, which are all our descendant processes. */
async function readUsage(): Promise<Usage> {
  const rows = new Map<number, { parent: number; seconds: number; pss: number }>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const smaps = await readFile(`/proc/${name}/smaps_rollup`, "utf8").catch(() => "");
    rows.set(Number(name), {
      parent: Number(fields[1]),
      // Ticks are too coarse for processes that nearly always sleep; ended children have no finer figure.
      seconds: (await cpuSecondsOf(name)) + (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / 100,
      pss: Number(/^Pss:\s+(\d+)/m.exec(smaps)?.[1] ?? 0) * 1024,
    });
  }
  const isDescendant = (pid: number): boolean => {
    const parent = rows.get(pid)?.parent;
    return parent !== undefined && (parent === process.pid || isDescendant(parent));
  };
  const descendants = [...rows].filter(([pid]) => isDescendant(pid)).map(([, row]) => row);
  return {
    cpu: descendants.reduce((sum, { seconds }) => sum + seconds, 0),
    bytes: descendants.reduce((sum, { pss }) => sum + pss, 0),
  };
}

async function cpuSecondsOf(pid: string): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lines = threads.map((thread) =>
    readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "0"),
  );
  return (await Promise.all(lines)).reduce((sum, line) => sum + Number(line.split(" ")[0]), 0) / 1e9;
}

async function idlePart(): Promise<void> {
  await sleep(Number(process.env.SLEEP_AFTER ?? 70) * 1000);
  const before = await readUsage();
  const seconds = 60;
  await sleep(seconds * 1000);
  const after = await readUsage();
  show("idle: % of a core", ((after.cpu - before.cpu) / seconds) * 100, "under 1");
  show("idle: MB", after.bytes / 2 ** 20, "under 350");
}

async function memoryPart(): Promise<void> {
  const ids = await product.jobs(await product.account(), targets("memory", 100));
  const checks = Number(process.env.CHECKS ?? 5000);
  const bytes: number[] = [];
  for (let done = 0; done < checks; done += ids.length) {
    await product.drain(ids);
    bytes.push((await readUsage()).bytes);
  }
  // A single reading varies by a tenth with garbage that isn't collected yet: take the median of the five readings from
  // the 500th check on, and of the last five.
  const early = median(bytes.slice(4, 9));
  const late = median(bytes.slice(-5));
  show(`memory after 500 checks, MB`, early / 2 ** 20);
  show(`memory: growth to check ${checks}, %`, (late / early - 1) * 100, "under 10");
}

async function peersPart(): Promise<void> {
  const urls = urlsOf(targets("peers", pages));
  const urlwatch = await openUrlwatch(urls);
  if (!urlwatch) return console.log("urlwatch is not installed (apt-get install urlwatch); skipped");
  show("urlwatch with its url job, checks/s", await urlwatch.recheck());
  await urlwatch.close();
}

try {
  if (wants("idle")) await idlePart();
  if (wants("rates")) await ratesPart();
  if (wants("index")) await indexPart();
  if (wants("validator")) await validatorPart();
  if (wants("latency")) await latencyPart();
  if (wants("telegram")) await telegramPart();
  if (wants("host")) await hostPart();
  if (wants("fair")) await fairPart();
  if (wants("memory")) await memoryPart();
  if (wants("peers")) await peersPart();
} finally {
  await product.close();
  await telegram.close();
  await site.close();
  await rm(folder, { recursive: true });
}
process.exit(0);
