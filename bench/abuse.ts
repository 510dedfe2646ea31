// One account attacks while another one, the victim, keeps working. Measures the victim's checks and sign-in and
// /healthz, alone and under each attack, and compares the slowest responses as ratios within this run; each figure is
// the median of three measurements. Then a walk over every call: inputs grow tenfold, and the processor time must grow
// about as much; every field gets hostile values, and no response may be a 500, larger than 5 MB or cost more than 2 s.
// `npm run bench:abuse [number …] [walk | walk:growth | walk:values] [name of a call …]`; ROUNDS=2 for a quick run,
// CALL_SECONDS for the share of time that a walk gives each call.
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { notInTime, openJobs } from "./abuse/jobs.ts";
import { startPolling } from "./abuse/poll.ts";
import { startProduct } from "./abuse/product.ts";
import { startSite } from "./abuse/site.ts";
import { walk } from "./abuse/walk.ts";

const maxSlowdown = 3;
// The slowest /healthz response during hostile jobs that we accept on two quiet cores.
const healthzMs = 67;
const rounds = Number(process.env.ROUNDS ?? 12);
const wanted = process.argv.slice(2);
const site = await startSite();

/** Walks every call, or only those that were named; returns whether anything is too slow or broken. */
async function walkCalls(): Promise<boolean> {
  const isWalked = (part: string) =>
    wanted.length === 0 || wanted.includes("walk") || wanted.includes(`walk:${part}`);
  const names = wanted.filter((name) => /^[a-z]+$/i.test(name) && name !== "walk");
  const parts = { growth: isWalked("growth"), values: isWalked("values"), names };
  return (parts.growth || parts.values) && walk(() => site.origin(3), parts);
}
if (wanted.length > 0 && !wanted.some((name) => /^\d+$/.test(name))) {
  const isBad = await walkCalls();
  await site.close();
  process.exit(isBad ? 1 : 0);
}

const product = await startProduct();
const polling = startPolling(`${product.origin}/healthz`);
const victim = await product.person();
// Each attack uses a new account: rate limits that one attack ran into must not weaken the next.
let attacker = victim;

const { groupOf, createJob, executionsOf, waitForFirstCheck, check } = openJobs((caller) =>
  site.origin(caller === victim ? 1 : 2),
);

const elapsedMs = async (work: () => Promise<unknown>) => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

type Times = { check: number; change: number; "sign-in": number; healthz: number; failed: number };
type VictimJobs = { calm: string; counter: string };

/** The median of three slowest times: a pause of the machine must not count as an attack's effect. */
async function measure(jobs: VictimJobs): Promise<Times> {
  const all: Times[] = [];
  for (let n = 0; n < 3; n++) all.push(await slowest(jobs));
  const median = (key: keyof Times) =>
    all.map((times) => times[key]).toSorted((a, b) => a - b)[1] ?? Number.NaN;
  const failed = all.reduce((sum, times) => sum + times.failed, 0);
  return {
    check: median("check"),
    change: median("change"),
    "sign-in": median("sign-in"),
    healthz: median("healthz"),
    failed,
  };
}

async function slowest({ calm, counter }: VictimJobs): Promise<Times> {
  const times: Times = { check: 0, change: 0, "sign-in": 0, healthz: 0, failed: 0 };
  const timeCheck = (jobId: string) =>
    elapsedMs(async () => {
      const error = await check(victim, jobId);
      if (error === null) return;
      times.failed++;
      console.log(`a check of the victim failed: ${error}`);
    });
  await polling.slowest();
  for (let n = 0; n < rounds; n++) {
    const { email, password } = victim;
    const login = () => product.ask("198.51.100.7", "", "POST", "/api/auth/login", { email, password });
    times["sign-in"] = Math.max(times["sign-in"], await elapsedMs(login));
    times.check = Math.max(times.check, await timeCheck(calm));
  }
  // A change is confirmed by a second capture, four seconds later.
  await fetch(`${site.origin(1)}/count`);
  times.change = await timeCheck(counter);
  times.healthz = await polling.slowest();
  return times;
}

const photo = await sharp({ create: { width: 4_400, height: 4_400, channels: 3, background: "#456" } })
  .png()
  .toBuffer();
const upload = Buffer.concat([
  Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
  ),
  photo,
  Buffer.from("\r\n--x--\r\n"),
]);

/** Responses that the current attack received: an attack without any proves nothing. */
let attackResponses = 0;
// Some attacks take longer than a measurement, such as pages with hundreds of names that do not resolve.
const maxMeasurements = 5;

/** Measures until the attack has received a response, and returns the slowest times. */
async function measureAttack(jobs: VictimJobs): Promise<Times> {
  const times = await measure(jobs);
  for (let n = 1; n < maxMeasurements && attackResponses === 0; n++)
    for (const [key, value] of Object.entries(await measure(jobs)) as [keyof Times, number][])
      times[key] = key === "failed" ? times.failed + value : Math.max(times[key], value);
  return times;
}

/** Keeps `width` calls of one kind running until it is stopped. */
function flood(width: number, work: (n: number) => Promise<unknown>): () => Promise<void> {
  let isStopped = false;
  let n = 0;
  const loops = Array.from({ length: width }, async () => {
    while (!isStopped)
      await work(n++).then(
        () => attackResponses++,
        () => sleep(50),
      );
  });
  return async () => {
    isStopped = true;
    await Promise.race([Promise.all(loops), sleep(30_000)]);
  };
}

/** Checks three jobs without a pause, after their first checks, which wait for a confirmation. */
const checksOf = async (path: string) => {
  const ids = await Promise.all([1, 2, 3].map((n) => createJob(attacker, path, `${path} ${n}`)));
  await Promise.all(ids.map((id) => waitForFirstCheck(attacker, id)));
  return flood(ids.length, async (n) => {
    const problem = await check(attacker, ids[n % ids.length] ?? "", 60_000);
    if (problem === notInTime) throw new Error(problem);
  });
};

/** Creates this many jobs and requests runs of them without a pause. */
const manyJobs = async (count: number, create: (n: number) => Promise<string>) => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await create(n));
  const stop = flood(4, (n) =>
    attacker.call("POST", `/api/jobs/${ids[n % ids.length]}/run`).then(() => sleep(500)),
  );
  return async () => {
    await stop();
    for (const id of ids) await attacker.call("DELETE", `/api/jobs/${id}`);
  };
};

/** 34 jobs on 12 hosts that watch these pages in turn. */
const pagesOf = (paths: string[]) =>
  manyJobs(34, (n) =>
    createJob(attacker, paths[n % paths.length] ?? "/", `page ${n}`, { origin: site.origin(10 + (n % 12)) }),
  );

const slowSelectors = [
  Array(20).fill("*").join(" "),
  "xpath://*[count(//*[count(//*)>1])>1]",
  "xpath://*[count(for $i in 1 to 10000000000 return $i) = 0]",
  "b ~ i ~ i ~ i",
];

const attacks: Record<string, () => Promise<() => Promise<void>>> = {
  "1 a page that takes long to read": () => checksOf("/wall"),
  "2 fields of 3 MB": () => checksOf("/fields"),
  // A check of such a page takes longer than a measurement, so many of them are checked at once.
  "3 34 pages of 400 dead host names": () => pagesOf(["/names"]),
  "6 40 slow jobs": () => manyJobs(40, (n) => createJob(attacker, "/slow", `slow ${n}`)),
  "7 comparisons and shares of large pages": async () => {
    const id = await createJob(attacker, "/large.txt", "large");
    await waitForFirstCheck(attacker, id);
    await check(attacker, id);
    await check(attacker, id);
    const [last, , first] = await executionsOf(attacker, id);
    const shared = await attacker.call("POST", `/api/jobs/${id}/share`, {
      executionId: last?.id,
      fromId: first?.id,
    });
    return flood(20, (n) =>
      n % 2 === 0
        ? attacker.call("GET", `/api/jobs/${id}/compare?from=${first?.id}&to=${last?.id}`, undefined, false)
        : product.ask(
            `192.0.2.${n % 250}`,
            "",
            "GET",
            `/api/share/${String(shared.body.token)}`,
            undefined,
            false,
          ),
    );
  },
  "10 300 guesses of links and passwords": async () =>
    flood(300, (n) =>
      n % 2 === 0
        ? product.ask("192.0.2.9", "", "PATCH", `/api/recover/${"x".repeat(40)}${n}`, {
            newPassword: "correct1!",
          })
        : product.ask("192.0.2.9", "", "POST", "/api/auth/login", {
            email: `n${n}@example.com`,
            password: "x",
          }),
    ),
  "12 1,000 live streams": async () => {
    const open: (() => void)[] = [];
    const stop = flood(20, async (n) => {
      if (n >= 1_000) return sleep(200);
      open.push(await attacker.open("/api/events"));
    });
    return async () => {
      for (const end of open) end();
      await stop();
    };
  },
  "16 photos and reports": async () =>
    flood(12, async (n) =>
      n % 3 === 0
        ? attacker.call("POST", "/api/reports", { groupId: await groupOf(attacker) })
        : attacker.call("PUT", "/api/me/photo", upload),
    ),
  "17 34 slow selectors on 12 hosts": () =>
    manyJobs(34, (n) =>
      createJob(attacker, "/deep", `selector ${n}`, {
        origin: site.origin(10 + (n % 12)),
        selector: slowSelectors[n % slowSelectors.length] ?? "",
      }),
    ),
  "18 34 slow jobs on the victim's host": () =>
    manyJobs(34, (n) => createJob(attacker, "/slow", `shared ${n}`, { origin: site.origin(1) })),
  "19 34 CPU-burning pages on 12 hosts": () => pagesOf(["/burn"]),
  "20 34 pages that burn CPU in workers": () => pagesOf(["/burn-workers"]),
  "21 34 slow pages, streams, redirect loops": () => pagesOf(["/slow", "/stream", "/around"]),
  "22 34 texts and JSON of 12 MB": () => pagesOf(["/large.txt", "/data.json"]),
  "23 34 busy, large and tall pages": () => pagesOf(["/busy", "/nodes", "/tall"]),
};

const show = ({ check: checkMs, change, "sign-in": signIn, healthz, failed }: Times, alone?: Times) => {
  const cell = (value: number, base?: number) =>
    `${value.toFixed(0).padStart(6)} ms${base ? ` (${(value / base).toFixed(1)}×)` : ""}`.padEnd(18);
  const cells = [
    cell(checkMs, alone?.check),
    cell(change, alone?.change),
    cell(signIn, alone?.["sign-in"]),
    cell(healthz, alone?.healthz),
  ];
  return `${cells.join(" ")} ${failed > 0 ? `${failed} of ${3 * rounds} checks FAILED` : ""}`;
};

let isBad = false;
try {
  const victimJobs = {
    calm: await createJob(victim, "/calm", "calm"),
    counter: await createJob(victim, "/counter", "counter"),
  };
  for (const id of Object.values(victimJobs)) await waitForFirstCheck(victim, id);
  // The first measurement is discarded, because code is still being compiled.
  await measure(victimJobs);
  const aloneTimes: Times[] = [];
  const attacked = new Map<string, Times>();
  const idle: string[] = [];
  for (const [name, start] of Object.entries(attacks)) {
    if (wanted.length > 0 && !wanted.includes(name.split(" ")[0] ?? "")) continue;
    aloneTimes.push(await measure(victimJobs));
    attacker = await product.person();
    const stop = await start();
    await sleep(1_000);
    // What the attack's own start asked for doesn't count.
    const requestsBefore = await site.attackRequests();
    attackResponses = 0;
    const times = await measureAttack(victimJobs);
    attacked.set(name, times);
    const requests = (await site.attackRequests()) - requestsBefore;
    console.log(
      `${name.padEnd(40)} ${show(times)} ${attackResponses} responses, ${requests} requests for its pages`,
    );
    if (attackResponses === 0 && requests === 0) idle.push(name);
    await stop();
  }
  const mean = (key: keyof Times) =>
    aloneTimes.reduce((sum, times) => sum + times[key], 0) / aloneTimes.length;
  const alone: Times = {
    check: mean("check"),
    change: mean("change"),
    "sign-in": mean("sign-in"),
    healthz: mean("healthz"),
    failed: 0,
  };
  console.log(
    `\n${"the victim's slowest times".padEnd(42)} check              change             sign-in            healthz`,
  );
  if (aloneTimes.length > 0)
    console.log(`${`alone, mean of ${aloneTimes.length}`.padEnd(40)} ${show(alone)}`);
  for (const [name, times] of attacked) {
    // Times of a few milliseconds mostly depend on the machine's scheduling (about ten), so they have a lower bound.
    const isSlow =
      times.check > maxSlowdown * alone.check ||
      times.change > maxSlowdown * alone.change ||
      times["sign-in"] > maxSlowdown * Math.max(alone["sign-in"], 100) ||
      times.healthz > Math.max(maxSlowdown * alone.healthz, healthzMs);
    const isIdle = idle.includes(name);
    isBad ||= isSlow || isIdle || times.failed > 0;
    console.log(
      `${name.padEnd(40)} ${show(times, alone)}${isSlow ? " TOO SLOW" : ""}${isIdle ? " PROVES NOTHING" : ""}`,
    );
  }
} finally {
  await polling.close();
  await product.stop();
}
isBad = (await walkCalls()) || isBad;
await site.close();
process.exit(isBad ? 1 : 0);
