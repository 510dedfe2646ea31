import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { readSnapshot } from "#checks/store-capture.ts";
import { startTestEngine } from "#checks/testing/engine.ts";
import { codeKey, password, type SignInSite, startSignInSite } from "#identities/testing/sign-in-site.ts";
import { storedPartsOf } from "#storage/executions.ts";
import { openZip } from "#zip/read-zip.ts";
import { startCaptureWorker } from "../background-tasks/start-capture-worker.ts";

// Identities with the whole engine and a real browser, on a site that behaves as real ones do.

let site: SignInSite;
let engine: Awaited<ReturnType<typeof startTestEngine>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  site = await startSignInSite();
  engine = await startTestEngine({ capturing: false });
  stop = await startCaptureWorker(engine.app, { confirmAfterMs: 200 });
});
const usual = {
  requestsPerSession: Number.POSITIVE_INFINITY,
  asksForCode: false,
  hasCaptcha: false,
  walls: 0,
  signsOutAtOnce: false,
};
beforeEach(() => {
  Object.assign(site.state, { password, ...usual });
  Object.assign(site.counts, { signIns: 0, accountRequests: 0, refreshes: 0, reused: 0, mostParallel: 0 });
});
afterAll(async () => {
  await engine.close();
  await stop();
  site.close();
});

type Person = Awaited<ReturnType<typeof engine.person>>;
type Shown = { id: string; state: string; problem: string | null; jobs: number; hasCookies: boolean };

const signInSteps = [
  { type: "change", selectors: [["[name=user]"]], value: "ana" },
  { type: "change", selectors: [["[name=password]"]], value: "{{secret.password}}" },
  { type: "click", selectors: [['aria/Sign in[role="button"]']], assertedEvents: [{ type: "navigation" }] },
];
const ana = () => ({
  name: "Ana",
  url: `${site.origin}/sign-in`,
  steps: signInSteps as object[],
  secrets: [{ name: "password", value: password }],
  proof: { text: "Sign out" } as object,
});

async function addIdentity(person: Person, input: object = {}): Promise<string> {
  const { body, status } = await person.call("POST", "/api/identities", { ...ana(), ...input });
  expect([status, body.code]).toEqual([200, "IDENTITY_CREATED"]);
  return (body.identity as unknown as Shown).id;
}
async function readIdentity(person: Person, id: string): Promise<Shown> {
  const { body } = await person.call("GET", "/api/identities");
  const found = (body.identities as unknown as Shown[]).find((each) => each.id === id);
  if (!found) throw new Error("the identity is gone");
  return found;
}
const textOf = async (person: Person, jobId: string, executionId: string) =>
  (await person.call("GET", `/api/jobs/${jobId}/executions/${executionId}/text`)).raw.toString();
const signedOutNotices = async (person: Person) => {
  const { body } = await person.call("GET", "/api/notifications");
  return (
    body.notifications as unknown as { kind: string; title: string; message: string; jobId: string | null }[]
  ).filter(({ kind }) => kind === "signed-out");
};

type Tried = {
  state: string;
  error: string | null;
  steps: { error: string | null }[];
  proofs?: { text?: string; selector?: string; why: string }[];
};
const finished = (person: Person, previewId: string) =>
  engine.waitFor("the trial", async () => {
    const { body } = await person.call("GET", `/api/previews/${previewId}`);
    const tried = body as unknown as Tried;
    return tried.state !== "queued" && tried;
  });
async function tryIdentity(person: Person, input: object): Promise<Tried> {
  const { body } = await person.call("POST", "/api/identities/try", input);
  expect(body.code).toBe("SIGN_IN_BEGUN");
  return finished(person, String(body.previewId));
}

/** Shows the content of each file of a ZIP archive, also of gzip files in it. */
async function unpackAll(archive: Buffer, see: (name: string, bytes: Buffer) => void): Promise<void> {
  const zip = await openZip(Buffer.from(archive), 10_000);
  for (const name of zip.entries.keys()) {
    const bytes = await zip.read(name);
    see(name, bytes);
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) see(`${name} (unpacked)`, gunzipSync(bytes));
  }
  zip.close();
}

let watched: ReturnType<typeof startWatching> | undefined;
/** Ana’s account and orders, which several tests share, because a first check is the dearest part of each. */
const watchAna = () => (watched ??= startWatching());
async function startWatching() {
  const person = await engine.person();
  const identity = await addIdentity(person);
  const [account = "", orders = ""] = await Promise.all(
    ["account", "orders"].map((path) => person.createJob({ url: `${site.origin}/${path}`, identity })),
  );
  const first = await person.execution(account, 1);
  return { person, identity, account, first, firstOrders: await person.execution(orders, 1) };
}

test("jobs share one sign-in, and a session that has ended is renewed without a change", async () => {
  const { person, identity, account, first, firstOrders } = await watchAna();
  expect(first).toMatchObject({ error: null, summary: "First capture" });
  expect(await textOf(person, account, first.id)).toContain("Balance 120 €");
  expect(firstOrders).toMatchObject({ error: null });
  // Four captures of two jobs at once: one sign-in, one after the other.
  expect([site.counts.signIns, site.counts.mostParallel]).toEqual([1, 1]);
  expect(await readIdentity(person, identity)).toMatchObject({
    state: "signed-in",
    problem: null,
    jobs: 2,
    hasCookies: true,
  });

  site.endSessions();
  expect(await person.run(account)).toMatchObject({ changed: false, error: null });
  expect(site.counts.signIns).toBe(2);
  site.state.balance = "90 €";
  expect(await person.run(account)).toMatchObject({ changed: true, error: null });
  expect([site.counts.signIns, await signedOutNotices(person)]).toEqual([2, []]);
});

test("who can't be signed in is alerted once, its jobs wait, and nothing becomes a baseline", async () => {
  const person = await engine.person();
  const identity = await addIdentity(person);
  const id = await person.createJob({ url: `${site.origin}/account`, identity });
  await person.execution(id, 1);
  const { balance } = site.state;
  onTestFinished(() => void Object.assign(site.state, { balance }));
  Object.assign(site.state, { password: "changed", balance: "10 €" });
  site.endSessions();
  const jar = () =>
    engine.app.db.selectFrom("identities").select("jar_sealed").where("id", "=", identity).execute();
  const kept = await jar();
  const failed = await person.run(id);
  expect(await jar()).toEqual(kept);
  const problem = `The site asks for a password at ${site.origin}/sign-in.`;
  expect(failed).toMatchObject({ changed: false, error: `“Ana” is signed out. ${problem}` });
  expect(await readIdentity(person, identity)).toMatchObject({ state: "signed-out", problem });
  const detail = await person.call("GET", `/api/jobs/${id}/executions/${failed.id}`);
  expect(
    (detail.body.steps as unknown as { error: string | null; hasPicture: boolean }[]).at(-1),
  ).toMatchObject({
    error: problem,
    hasPicture: true,
  });
  // A job that is added now waits too.
  const waiting = await person.createJob({ url: `${site.origin}/orders`, identity });
  const notices = await signedOutNotices(person);
  expect(notices).toMatchObject([{ title: "Ana", jobId: null }]);
  expect(notices[0]?.message).toBe(
    `Signed out: ${problem} Its jobs wait until you sign in again, under Identities in your profile.`,
  );
  // The user may try, without another alert.
  expect(await person.run(id)).toMatchObject({ error: expect.stringContaining("is signed out") });
  expect(await signedOutNotices(person)).toHaveLength(1);

  const nextRun = async () =>
    (await person.call("GET", `/api/jobs/${waiting}`)).body as unknown as {
      nextRunAt: string;
      executionsTotal: number;
    };
  const { executionsTotal, nextRunAt } = await nextRun();
  expect([executionsTotal, Date.parse(nextRunAt) > Date.now()]).toEqual([0, true]);
  const secrets = [{ name: "password", value: "changed" }];
  const saved = await person.call("PUT", `/api/identities/${identity}`, { ...ana(), secrets });
  expect(saved.body).toMatchObject({ code: "IDENTITY_UPDATED", identity: { state: "new", problem: null } });
  // Waiting jobs are due at once, and what changed meanwhile is found.
  expect(Date.parse((await nextRun()).nextRunAt)).toBeLessThanOrEqual(Date.now());
  expect(await person.run(id)).toMatchObject({ changed: true, error: null });
  expect(await readIdentity(person, identity)).toMatchObject({ state: "signed-in" });
});

test.each([
  ["local and session storage", "/app"],
  ["IndexedDB", "/idb"],
])("an app keeps its rotating tokens in %s, and stays signed in with them", async (_, path) => {
  const person = await engine.person();
  const identity = await addIdentity(person, { url: `${site.origin}${path}` });
  const id = await person.createJob({ url: `${site.origin}${path}`, identity });
  const first = await person.execution(id, 1);
  expect(await textOf(person, id, first.id)).toContain(`Balance ${site.state.balance}`);
  for (const _check of [1, 2]) expect(await person.run(id)).toMatchObject({ changed: false, error: null });
  // Access tokens are good for two uses, so that refresh tokens were used, each of them once.
  expect(site.counts).toMatchObject({ signIns: 1, reused: 0 });
  expect(site.counts.refreshes).toBeGreaterThan(0);
});

test("a sign-in at another origin needs that origin, and secrets are typed nowhere else", async () => {
  const person = await engine.person();
  const sso = {
    url: `${site.origin}/sso`,
    steps: [
      { type: "change", selectors: [["[name=password]"]], value: "{{secret.password}}" },
      { type: "click", selectors: [["aria/Continue"]], assertedEvents: [{ type: "navigation" }] },
    ],
  };
  const refused = await tryIdentity(person, { ...sso, secrets: ana().secrets, proof: ana().proof });
  expect(refused).toMatchObject({
    state: "failed",
    error: expect.stringContaining(
      `No secret is typed at ${site.providerOrigin}, which isn’t one of the identity’s sites.`,
    ),
  });
  const identity = await addIdentity(person, { ...sso, origins: [site.providerOrigin] });
  const id = await person.createJob({ url: `${site.origin}/account`, identity });
  expect(await person.execution(id, 1)).toMatchObject({ error: null });
  // What a sign-in leaves in its URLs isn't stored.
  const { body } = await person.call(
    "GET",
    `/api/jobs/${id}/executions/${(await person.execution(id, 1)).id}`,
  );
  expect(JSON.stringify(body.steps)).not.toContain("?");
  const moved = await person.call("PUT", `/api/identities/${identity}`, {
    ...ana(),
    origins: ["https://evil.example"],
    secrets: [{ name: "password", value: "••••••••" }],
  });
  expect(moved.body).toMatchObject({ code: "INVALID_INPUT", field: "secrets" });
});

test("a one-time code is a part of signing in", async () => {
  site.state.asksForCode = true;
  const person = await engine.person();
  const identity = await addIdentity(person, {
    steps: [
      ...signInSteps,
      { type: "change", selectors: [["[name=code]"]], value: "{{totp.key}}" },
      { type: "click", selectors: [["aria/Confirm"]], assertedEvents: [{ type: "navigation" }] },
    ],
    secrets: [...ana().secrets, { name: "key", value: codeKey }],
  });
  const id = await person.createJob({ url: `${site.origin}/account`, identity });
  expect(await person.execution(id, 1)).toMatchObject({ error: null, summary: "First capture" });
});

test("a session that ends after some requests, and a wall on one of them, are no change", async () => {
  const { person, account: id } = await watchAna();
  const { signIns } = site.counts;
  // A session lasts one request of the sign-in and one of a check.
  Object.assign(site.state, { requestsPerSession: 2 });
  site.endSessions();
  for (const _check of [1, 2]) expect(await person.run(id)).toMatchObject({ changed: false, error: null });
  expect(site.counts.signIns).toBe(signIns + 2);
  // A wall on one request isn't the end of the session.
  Object.assign(site.state, { requestsPerSession: Number.POSITIVE_INFINITY, walls: 1 });
  expect(await person.run(id)).toMatchObject({ changed: false, error: null });
});

test("a site that signs out at each check says so", async () => {
  site.state.signsOutAtOnce = true;
  const person = await engine.person();
  const id = await person.createJob({ url: `${site.origin}/account`, identity: await addIdentity(person) });
  expect((await person.execution(id, 1)).error).toBe(
    `“Ana” is signed out. We signed in, but the site signed us out again at once. The site asks for a password at ${site.origin}/sign-in.`,
  );
});

test("a page that doesn't show the proof fails by itself, and doesn't sign the identity out", async () => {
  const person = await engine.person();
  const identity = await addIdentity(person);
  const id = await person.createJob({ url: `${site.origin}/print`, identity });
  const failed = await person.execution(id, 1);
  const error =
    "The proof of being signed in (“Sign out”) isn’t on the page. We’re signed in, so choose a proof that this page shows too, or another identity.";
  expect(failed).toMatchObject({ error, changed: false });
  expect(await person.run(id)).toMatchObject({ error });
  // It isn't signed in again for each check of such a page.
  expect([site.counts.signIns, (await readIdentity(person, identity)).state]).toEqual([1, "signed-in"]);
});

test("pasted cookies are a session until the site ends it", async () => {
  const person = await engine.person();
  const cookies = site.openSession();
  const input = { url: `${site.origin}/account`, steps: [], secrets: [] };
  const { proofs } = await tryIdentity(person, { ...input, cookies });
  expect(proofs?.[0]).toMatchObject({ text: "Sign out" });
  const identity = await addIdentity(person, { ...input, cookies });
  const id = await person.createJob({ url: `${site.origin}/account`, identity });
  expect(await person.execution(id, 1)).toMatchObject({ error: null });
  const { body } = await person.call("GET", "/api/identities");
  expect(JSON.stringify(body)).not.toContain(cookies.split("=")[1]);
  site.endSessions();
  expect((await person.run(id)).error).toBe(
    `“Ana” is signed out. The site asks for a password at ${site.origin}/sign-in. Paste the cookies of a new session.`,
  );
  // An identity in use can't be deleted; should one be gone all the same, its jobs aren't captured signed out.
  await engine.app.db.deleteFrom("identities").where("id", "=", identity).execute();
  expect((await person.run(id)).error).toBe(
    "The identity of this job doesn’t exist any more. Choose another one, or none.",
  );
});

test("a sign-in with a captcha says so, and a trial shows each step", async () => {
  site.state.hasCaptcha = true;
  const person = await engine.person();
  const tried = await tryIdentity(person, { ...ana(), secrets: [{ name: "password", value: "wrong" }] });
  expect(tried).toMatchObject({
    state: "failed",
    error: `The site asks for a password at ${site.origin}/sign-in. The page has a captcha, which we don’t solve: sign in with your own browser and paste its cookies into the identity.`,
  });
  expect(tried.steps.map(({ error }) => error === null)).toEqual([true, true, true, false]);
  site.state.hasCaptcha = false;
  const identity = await addIdentity(person);
  const { body } = await person.call("POST", `/api/identities/${identity}/sign-in`);
  expect(await finished(person, String(body.previewId))).toMatchObject({ state: "ready", error: null });
  expect(await readIdentity(person, identity)).toMatchObject({ state: "signed-in" });
});

test("what is behind a sign-in isn't in links, reports and feeds until that is switched on", async () => {
  const { person, account: id } = await watchAna();
  site.state.balance = "80 €";
  const change = await person.run(id);
  expect(change).toMatchObject({ changed: true });
  const share = () => person.call("POST", `/api/jobs/${id}/share`, { executionId: change.id });
  expect((await share()).body).toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("isn’t shared"),
  });
  const feed = await person.call("POST", "/api/feeds", {});
  const address = (feed.body.feed as unknown as { urls: { json: string } }).urls.json;
  const readFeed = async () => (await engine.call("GET", new URL(address).pathname)).raw.toString();
  expect(await readFeed()).not.toContain("80");
  await person.call("PATCH", `/api/jobs/${id}`, { sharesSignedIn: true });
  expect(await readFeed()).toContain("80");
  expect((await share()).status).toBe(200);
});

test("an identity belongs to its account, its plan and its sites, and stays while it is used", async () => {
  const person = await engine.person();
  const identity = await addIdentity(person);
  const wrong = await person.call("POST", "/api/jobs/create", {
    name: "Elsewhere",
    url: "http://127.0.0.1:9/",
    frequency: 60,
    groupId: person.groupId,
    identity,
  });
  expect(wrong.body).toMatchObject({ code: "INVALID_INPUT", field: "identity" });
  const crawl = { url: `${site.origin}/`, identity, site: {} };
  await expect(person.createJob(crawl)).rejects.toThrow("A whole site can’t be crawled as an identity.");
  await person.createJob({ url: `${site.origin}/account`, identity });
  expect((await person.call("DELETE", `/api/identities/${identity}`)).body).toMatchObject({
    code: "CONFLICT",
    message: "1 job uses this identity. Choose another one there first.",
  });
  const stranger = await engine.person();
  for (const [method, path] of [
    ["PUT", ""],
    ["DELETE", ""],
    ["POST", "/sign-in"],
  ] as const) {
    const answer = await stranger.call(
      method,
      `/api/identities/${identity}${path}`,
      method === "PUT" ? ana() : undefined,
    );
    expect(answer.status).toBe(404);
  }
  const stolen = await stranger.call("POST", "/api/identities/try", { ...ana(), identityId: identity });
  expect(stolen.status).toBe(404);
  for (const proof of [undefined, {}, { text: " " }]) {
    const unproven = await person.call("POST", "/api/identities", { ...ana(), name: "Unproven", proof });
    expect([proof, unproven.status, String(unproven.body.field).split(".")[0]]).toEqual([
      proof,
      400,
      "proof",
    ]);
  }
  const poor = await engine.person("basic");
  expect((await poor.call("POST", "/api/identities", ana())).body).toMatchObject({
    code: "PLAN_LIMIT_REACHED",
    message: "The Basic plan allows no identities. The Professional plan allows them.",
  });
});

test("no stored byte, log line or export holds a password, cookie or token", async () => {
  const { person, account } = await watchAna();
  const identity = await addIdentity(person, { name: "App", url: `${site.origin}/app` });
  const ids = [account, await person.createJob({ url: `${site.origin}/app`, identity })];
  for (const id of ids) {
    await person.execution(id, 1);
    expect(await person.run(id)).toMatchObject({ error: null });
  }
  const given = new Set(site.given);
  const found: string[] = [];
  // In one pass, because there are many: each token has this form, also in the middle of other letters.
  const token = /(?=(t0[\w-]{24}))/g;
  for (const one of given) expect(one).toMatch(/^t0[\w-]{24}$/);
  const look = (place: string, bytes: Buffer | string) => {
    const text = typeof bytes === "string" ? bytes : bytes.toString("latin1");
    if (text.includes("h0rse")) found.push(`${place}: the password`);
    for (const [, part = ""] of text.matchAll(token)) if (given.has(part)) found.push(`${place}: ${part}`);
  };
  const { db, jobs } = engine.app;
  for (const id of ids) {
    for (const row of await db.selectFrom("executions").selectAll().where("job_id", "=", id).execute()) {
      const kept = storedPartsOf(row);
      if (!kept) continue;
      const snapshot = await readSnapshot(jobs, person.accountId, kept);
      look("capture", JSON.stringify({ ...snapshot, body: Buffer.from(snapshot.body).toString("latin1") }));
      expect(snapshot.headers.map(([name]) => name)).not.toContain("set-cookie");
    }
    for (const format of ["json", "csv", "zip", "wacz"]) {
      const { raw } = await person.call("GET", `/api/jobs/${id}/export?format=${format}`);
      look(format, raw);
      if (format === "zip" || format === "wacz")
        await unpackAll(raw, (name, bytes) => look(`${format}/${name}`, bytes));
    }
  }
  const tables = await db.introspection.getTables();
  for (const { name, schema } of tables.filter(({ isView }) => !isView))
    look(
      name,
      JSON.stringify(
        await db
          .withSchema(schema ?? "public")
          .selectFrom(name as "jobs")
          .selectAll()
          .execute(),
      ),
    );
  const { raw } = await person.call("GET", "/api/export");
  look("archive", raw);
  await unpackAll(raw, (name, bytes) => look(`archive/${name}`, bytes));
  look("log", engine.log.join("\n"));
  expect(found).toEqual([]);
  // The search itself works: the words of the page are there.
  const unpacked: string[] = [];
  const zip = await person.call("GET", `/api/jobs/${ids[0]}/export?format=zip`);
  await unpackAll(zip.raw, (_, bytes) => unpacked.push(bytes.toString()));
  expect(unpacked.join("")).toContain(`Balance ${site.state.balance.slice(0, -2)}`);
});
