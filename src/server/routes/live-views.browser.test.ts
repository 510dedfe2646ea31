import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type LiveInput, type LiveOutput, liveProtocol, ticketPrefix } from "#contract/live-view.ts";
import { password, type SignInSite, startSignInSite } from "#identities/testing/sign-in-site.ts";
import { runLiveView } from "#live-view/run-live-view.ts";
import { startCaptureWorker } from "../background-tasks/start-capture-worker.ts";
import { startTestApp, type TestApp } from "../testing/test-app.ts";

// Live views with a real browser: who gets one, what goes in and out, and where it can't go.

let app: TestApp;
let base: string;
let signInSite: SignInSite;
let site: Server;
let secretSite: Server;
let otherSite: Server;
let owner: Awaited<ReturnType<TestApp["addAccount"]>>;
let secretRequests = 0;
let stopWorker: Awaited<ReturnType<typeof startCaptureWorker>> | undefined;
function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `${address}:${port}`;
}

const box = (top: number) => `style="position:absolute;left:100px;top:${top}px;width:200px;height:40px"`;
const pageOf = (secret: string) => `<!doctype html><title>Shop</title>
  <button ${box(100)} onclick="location.href='/prices'">Show prices</button>
  <select ${box(160)} name="size"><option value="s">Small</option><option value="l">Large</option></select>
  <a ${box(220)} href="/file" download>Download</a>
  <input ${box(280)} type="file">
  <a ${box(340)} target="_blank" href="http://${secret}/popup">Popup</a>
  <a ${box(400)} href="/moved">Moved</a>
  <input ${box(460)} name="q" placeholder="Search">
  <button ${box(520)} onclick="setInterval(() => { document.title = document.querySelector('#now').textContent = Date.now(); }, 20)">Run</button>
  <p id="now"></p>`;

/** A page with parts that scroll, something that notices the pointer, and a frame of another site. */
const partsOf = (other: string) => `<!doctype html><title>Parts</title>
  <script>const note = (words) => { document.querySelector("output").textContent += words + "; "; };</script>
  <body style="margin:0;height:3000px" onscroll="note('page at ' + scrollY)">
  <div id="list" style="position:absolute;left:100px;top:60px;width:300px;height:100px;overflow:auto"
    onscroll="note('list at ' + this.scrollTop)"><p style="height:1000px">Lamps</p></div>
  <p style="position:absolute;left:100px;top:180px;width:200px;height:30px;margin:0" onmouseover="note('over')">Menu</p>
  <iframe src="http://${other}/" style="position:absolute;left:100px;top:240px;width:400px;height:150px;border:0"></iframe>
  <output></output>`;
const frame = `<!doctype html><body style="margin:0"><input name="word" style="position:absolute;top:0;height:40px;width:300px">
  <button style="position:absolute;top:60px;height:40px;width:300px"
    onclick="this.textContent='Searched for ' + document.querySelector('input').value">Search</button>`;

beforeAll(async () => {
  secretSite = createServer((_request, response) => {
    secretRequests++;
    response.end("internal");
  }).listen(0, "127.0.0.1");
  await once(secretSite, "listening");
  const secret = addressOf(secretSite);
  otherSite = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end(frame);
  }).listen(0, "127.0.0.2");
  await once(otherSite, "listening");
  site = createServer(({ url }, response) => {
    if (url === "/parts")
      return response.setHeader("content-type", "text/html").end(partsOf(addressOf(otherSite)));
    if (url === "/silent") return;
    if (url === "/moved") return response.writeHead(302, { location: `http://${secret}/moved` }).end();
    if (url === "/file")
      return response.writeHead(200, { "content-disposition": "attachment; filename=a.bin" }).end("bytes");
    response.setHeader("content-type", "text/html").end(url === "/" ? pageOf(secret) : "<h1>Prices</h1>");
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  signInSite = await startSignInSite();
  const allowed = [site, otherSite].map(addressOf).concat(new URL(signInSite.origin).host);
  app = await startTestApp({ EGRESS_ALLOW: allowed.join(",") });
  base = await app.server.listen({ host: "127.0.0.1", port: 0 });
  owner = await app.addAccount("professional");
});
afterAll(async () => {
  await app.close(false, async () => stopWorker?.());
  for (const server of [site, secretSite, otherSite]) {
    server.closeAllConnections();
    server.close();
  }
  signInSite.close();
});

const sockets: WebSocket[] = [];
/** A test that failed leaves no live view open for the next one. */
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await app.app.db.updateTable("live_views").set({ open_until: null }).execute();
});

type Ask = { url?: string; signsIn?: boolean; identityId?: string };
async function ask(input: Ask = {}, token = owner.token) {
  const body = { url: `http://${addressOf(site)}/`, ...input };
  const answer = await app.call("POST", "/api/live-views", body, { token });
  return answer as typeof answer & { body: { liveViewId: string; ticket: string; message: string } };
}

type Asked = { liveViewId: string; ticket: string };
function connect({ liveViewId, ticket }: Asked, { token = owner.token, origin = base } = {}): WebSocket {
  const socket = new WebSocket(
    `${base.replace("http", "ws")}/api/live-views/${liveViewId}/socket`,
    [liveProtocol, ticketPrefix + ticket],
    { origin, headers: { cookie: `session=${token}` } },
  );
  sockets.push(socket);
  return socket;
}

/** The status of a refused connection; 101 for one that opens. */
async function statusOf(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    socket.on("open", () => resolve(101));
    socket.on("error", () => undefined);
  });
}

/** An open live view that shows something. */
async function open(...asked: Parameters<typeof start>) {
  const view = await start(...asked);
  await expect.poll(view.frames, view.patient).toBeGreaterThan(0);
  return view;
}

/** A live view whose browser may not have started, and whose frames are seen, until `see(false)`. */
async function start(input: Ask = {}, token = owner.token) {
  const { body } = await ask(input, token);
  const socket = connect(body, { token });
  const outputs: LiveOutput[] = [];
  let [frames, sees] = [0, true];
  const send = (each: LiveInput) => socket.send(JSON.stringify(each));
  socket.on("message", (data, isBinary) => {
    if (!isBinary) return outputs.push(JSON.parse((data as Buffer).toString()));
    frames++;
    expect((data as Buffer).subarray(0, 2).toString("hex")).toBe("ffd8");
    if (sees) send({ type: "seen" });
  });
  const closed = once(socket, "close");
  await once(socket, "open");
  const find = <T extends LiveOutput["type"]>(type: T) =>
    outputs.findLast((each): each is Extract<LiveOutput, { type: T }> => each.type === type);
  const patient = { timeout: 60_000 };
  const url = () => find("page")?.url ?? "";
  const press = (top: number) => {
    const at = { x: 200, y: top + 20 };
    send({ type: "move", ...at });
    send({ type: "press", ...at, clicks: 1 });
    send({ type: "release", ...at, clicks: 1 });
  };
  return {
    id: body.liveViewId,
    send,
    press,
    find,
    url,
    patient,
    outputs,
    frames: () => frames,
    see: (isSeen: boolean) => {
      sees = isSeen;
    },
    type: (text: string) => {
      for (const key of text) send({ type: "key", key, modifiers: [] });
    },
    async reached(path: string) {
      await expect.poll(url, patient).toContain(path);
    },
    async end() {
      socket.close();
      await closed;
      const isOpen = async () =>
        (
          await app.app.db
            .selectFrom("live_views")
            .select("open_until")
            .where("id", "=", body.liveViewId)
            .execute()
        )[0]?.open_until;
      await expect.poll(isOpen, patient).toBeNull();
    },
    closed,
  };
}

test("a connection that is refused is closed, although its other end stays open", async () => {
  const { hostname, port } = new URL(base);
  const socket = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true });
  const path = `/api/live-views/${randomUUID()}/socket`;
  const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13";
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${upgrade}\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  );
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
  const count = () =>
    new Promise<number>((resolve, reject) => {
      app.server.server.getConnections((error, connections) =>
        error ? reject(error) : resolve(connections),
      );
    });
  await expect.poll(count).toBe(0);
  socket.destroy();
});

test("a live view opens once, for its owner, from our own pages", async () => {
  const stranger = await app.addAccount("professional");
  const { body } = await ask();
  expect(await statusOf(connect(body, { origin: "https://evil.example" }))).toBe(403);
  expect(await statusOf(connect(body, { token: stranger.token }))).toBe(404);
  expect(await statusOf(connect(body, { token: "none" }))).toBe(401);
  expect(await statusOf(connect({ ...body, ticket: "guessed" }))).toBe(404);
  const plain = await app.call("GET", `/api/live-views/${body.liveViewId}/socket`, undefined, {
    token: owner.token,
  });
  expect([plain.status, plain.body.message]).toEqual([400, "Open this address with a WebSocket."]);
  const socket = connect(body);
  expect(await statusOf(socket)).toBe(101);
  // The ticket is used up, and there is one live view at a time.
  expect([await statusOf(connect(body)), (await ask()).status]).toEqual([409, 409]);
  // Its browser has started.
  await once(socket, "message");
  socket.close();
  await expect.poll(async () => statusOf(connect(body))).toBe(404);
  const { body: old } = await ask();
  await app.app.db
    .updateTable("live_views")
    .set({ created_at: new Date(Date.now() - 31_000) } as never)
    .where("id", "=", old.liveViewId)
    .execute();
  expect(await statusOf(connect(old))).toBe(404);
  const refused = await ask({ url: `http://${addressOf(secretSite)}/` });
  expect([refused.status, refused.body.code]).toEqual([400, "TARGET_NOT_ALLOWED"]);
});

test("what is clicked, typed and chosen becomes steps, and what else comes in ends the live view", async () => {
  const view = await open();
  view.press(460);
  view.type("lamp");
  view.press(160);
  await expect
    .poll(() => view.find("options"), view.patient)
    .toMatchObject({
      options: [{ value: "s", label: "Small", isChosen: true }, { value: "l" }],
    });
  view.send({ type: "choose", value: "l" });
  view.press(100);
  await view.reached("/prices");
  view.send({ type: "finish" });
  await expect
    .poll(() => view.find("recorded"), view.patient)
    .toEqual({
      type: "recorded",
      secrets: [],
      steps: [
        {
          type: "change",
          selectors: [
            ['aria/Search[role="textbox"]'],
            ['input[name="q"]'],
            ['input[placeholder="Search"]'],
            ["input:nth-of-type(2)"],
          ],
          value: "lamp",
        },
        { type: "change", selectors: [['select[name="size"]'], ["select"]], value: "l" },
        {
          type: "click",
          selectors: [['aria/Show prices[role="button"]'], ["button:nth-of-type(1)"], ["text/Show prices"]],
          assertedEvents: [{ type: "navigation" }],
        },
      ],
    });
  await view.closed;
  const forged = await open();
  forged.send({ type: "Runtime.evaluate", expression: "1" } as never);
  await forged.closed;
});

test("a slow client misses frames", async () => {
  const view = await open();
  view.see(false);
  view.press(520);
  const before = view.frames();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const unseen = view.frames() - before;
  expect(unseen).toBeLessThanOrEqual(2);
  view.see(true);
  for (let i = 0; i < 2; i++) view.send({ type: "seen" });
  await expect.poll(view.frames, view.patient).toBeGreaterThan(before + unseen + 5);
  await view.end();
});

test("no address of a private network is reached, nothing is downloaded and no file is chosen", async () => {
  const view = await open();
  view.press(340);
  await view.reached("/popup");
  const refused = "address";
  await expect.poll(() => view.find("notice")?.message, view.patient).toContain(refused);
  view.send({ type: "back" });
  await expect.poll(view.url, view.patient).not.toContain("/popup");
  view.press(400);
  await view.reached("/moved");
  view.send({ type: "back" });
  await expect.poll(view.url, view.patient).not.toContain("/moved");
  view.press(220);
  await expect.poll(() => view.find("notice")?.message, view.patient).toContain("Downloads are off");
  view.press(280);
  await expect.poll(() => view.find("notice")?.message, view.patient).toContain("Files can’t be chosen");
  expect(secretRequests).toBe(0);
  await view.end();
});

test("who signs in by hand keeps the session, and passwords that were typed are secrets", async () => {
  const view = await open({ url: `${signInSite.origin}/sign-in`, signsIn: true });
  await view.reached("/sign-in");
  view.send({ type: "keep" });
  await expect.poll(() => view.find("notice")?.message, view.patient).toContain("still asks for a password");
  const tab = () => view.send({ type: "key", key: "Tab", modifiers: [] });
  tab();
  view.type("ana");
  tab();
  view.type(password);
  view.send({ type: "key", key: "Enter", modifiers: [] });
  await view.reached("/account");
  const steps = view.find("steps")?.steps.map(({ step }) => step);
  expect(steps).toMatchObject([
    { type: "change", value: "ana" },
    { type: "change", value: "{{secret.password}}" },
    { type: "keyDown", key: "Enter", assertedEvents: [{ type: "navigation" }] },
  ]);
  expect(JSON.stringify(view.outputs)).not.toContain("h0rse");
  view.send({ type: "keep" });
  await expect.poll(() => view.find("kept"), view.patient).toMatchObject({ message: "The session is kept." });
  await view.closed;
  const identity = {
    name: "By hand",
    url: `${signInSite.origin}/account`,
    proof: { text: "Sign out" },
    liveView: view.id,
  };
  const stranger = await app.addAccount("professional");
  const stolen = await app.call("POST", "/api/identities", identity, { token: stranger.token });
  expect(stolen.body).toMatchObject({ code: "INVALID_INPUT", field: "liveView" });
  const made = await app.call("POST", "/api/identities", identity, { token: owner.token });
  expect(made.body).toMatchObject({ identity: { hasCookies: true } });
  const rows = JSON.stringify(await app.app.db.selectFrom("live_views").selectAll().execute());
  for (const secret of ["h0rse", ...signInSite.given]) expect(rows + app.log.join("")).not.toContain(secret);

  // The session of a saved identity is replaced only by one that shows the proof.
  const { id } = (made.body as unknown as { identity: { id: string } }).identity;
  const again = await open({ url: `${signInSite.origin}/sign-in`, signsIn: true, identityId: id });
  again.send({ type: "keep" });
  await expect
    .poll(() => again.find("notice")?.message, again.patient)
    .toContain("The page doesn’t show the proof of being signed in (“Sign out”).");
  await again.end();
});

test("a live view that nobody uses ends, and so does one that is open for too long", async () => {
  for (const [limits, message] of [
    [{ idleMs: 300, totalMs: 60_000 }, "nothing was done"],
    [{ idleMs: 60_000, totalMs: 300 }, "was open for"],
  ] as const) {
    const { body } = await ask();
    const row = await app.app.db
      .selectFrom("live_views")
      .selectAll()
      .where("id", "=", body.liveViewId)
      .executeTakeFirstOrThrow();
    const sent: LiveOutput[] = [];
    const connection = {
      send: (output: LiveOutput) => void sent.push(output),
      sendFrame: () => undefined,
      onInput: () => undefined,
      gone: new AbortController().signal,
    };
    await runLiveView({ ...app.app.jobs, browsers: app.app.liveBrowsers }, row, connection, limits);
    expect(sent.at(-1)).toMatchObject({ type: "end", message: expect.stringContaining(message) });
  }
});

/** A job that is captured by a worker, and its executions. */
async function watch(input: object) {
  const { token } = owner;
  stopWorker ??= await startCaptureWorker(app.app, { confirmAfterMs: 0 });
  const group = await app.call("POST", "/api/jobs/groups", { name: `Group ${randomUUID()}` }, { token });
  const settings = { name: "Job", frequency: 60, groupId: group.body.id, ...input };
  const created = await app.call("POST", "/api/jobs/create", settings, { token });
  expect(created.body.code).toBe("JOB_CREATED");
  const jobId = (created.body.job as unknown as { id: string }).id;
  const executions = () =>
    app.app.db.selectFrom("executions").selectAll().where("job_id", "=", jobId).execute();
  const reached = async (count: number) => {
    await expect.poll(async () => (await executions()).length, { timeout: 60_000 }).toBe(count);
    return executions();
  };
  return { jobId, executions, reached };
}

test("scrolling, a hover, and a frame of another site are recorded, and the steps do the same at a check", async () => {
  const url = `http://${addressOf(site)}/parts`;
  const view = await open({ url });
  await view.reached("/parts");
  // The frame of the other site has loaded, too.
  const frameText = () => {
    view.send({ type: "point", x: 200, y: 320 });
    return view.find("proof")?.text;
  };
  await expect.poll(frameText, view.patient).toBe("Search");
  view.send({ type: "hover", x: 150, y: 195 });
  view.send({ type: "wheel", x: 200, y: 100, dx: 0, dy: 80 });
  view.press(240);
  view.type("lamp");
  view.press(300);
  view.send({ type: "wheel", x: 700, y: 500, dx: 0, dy: 400 });
  view.send({ type: "wheel", x: 700, y: 500, dx: 0, dy: 200 });
  const steps = [
    { type: "hover" },
    { type: "scroll", selectors: expect.arrayContaining([["#list"]]), y: 80 },
    { type: "change", frame: [0], value: "lamp" },
    { type: "click", frame: [0] },
    { type: "scroll", y: 600 },
  ];
  await expect
    .poll(() => view.find("steps")?.steps.map(({ step }) => step), view.patient)
    .toMatchObject(steps);
  view.send({ type: "finish" });
  await expect.poll(() => view.find("recorded")?.steps, view.patient).toMatchObject(steps);
  const { jobId, reached } = await watch({ url, pageSteps: view.find("recorded")?.steps });
  const [execution] = await reached(1);
  expect(execution?.error).toBeNull();
  const path = `/api/jobs/${jobId}/executions/${execution?.id}/text`;
  const words = (await app.call("GET", path, undefined, { token: owner.token })).raw.toString();
  for (const part of ["over;", "list at 80;", "Searched for lamp", "page at 600;"])
    expect(words).toContain(part);
}, 240_000);

const appIdentity = () => ({
  name: "App",
  url: `${signInSite.origin}/app`,
  steps: [
    { type: "change", selectors: [["[name=user]"]], value: "ana" },
    { type: "change", selectors: [["[name=password]"]], value: "{{secret.password}}" },
    { type: "click", selectors: [["aria/Sign in"]] },
  ],
  secrets: [{ name: "password", value: password }],
  proof: { text: "Sign out" },
});
async function addIdentity(input: object): Promise<string> {
  const { body } = await app.call("POST", "/api/identities", input, { token: owner.token });
  return (body.identity as unknown as { id: string }).id;
}
async function showsSignOut(view: Awaited<ReturnType<typeof open>>): Promise<void> {
  const pointed = () => {
    view.send({ type: "point", x: 30, y: 16 });
    return view.find("proof")?.text;
  };
  await expect.poll(pointed, view.patient).toBe("Sign out");
}
const identityRow = (id: string) =>
  app.app.db.selectFrom("identities").selectAll().where("id", "=", id).executeTakeFirst();

test("a live view of a job begins as its identity, a check waits meanwhile, and the session goes on", async () => {
  // Each opening of the page but the first rotates its tokens.
  signInSite.state.accessUses = 1;
  const { token } = owner;
  const { db } = app.app;
  const { url } = appIdentity();
  const identity = await addIdentity(appIdentity());
  const early = await start({ url, identityId: identity });
  await early.closed;
  expect(early.find("end")?.message).toBe(
    "“App” isn’t signed in. Sign in under Identities in your profile first.",
  );
  const { jobId, executions, reached } = await watch({ url, identity });
  await reached(1);
  const patient = { timeout: 60_000 };
  await expect.poll(async () => (await identityRow(identity))?.lease, patient).toBeNull();
  const { signIns, refreshes } = signInSite.counts;
  const saved = (await identityRow(identity))?.jar_sealed;

  const view = await open({ url, identityId: identity });
  await showsSignOut(view);
  await app.call("POST", `/api/jobs/${jobId}/run`, undefined, { token });
  const putBack = async () => {
    const { rows } = await sql`select 1 from pgboss.job where name = 'execute' and data ->> 'jobId' = ${jobId}
      and state = 'completed'`.execute(db);
    return rows.length;
  };
  await expect.poll(putBack, patient).toBeGreaterThan(2);
  expect(await executions()).toHaveLength(1);
  await view.end();
  expect((await reached(2)).map(({ error }) => error)).toEqual([null, null]);
  expect(signInSite.counts).toMatchObject({ signIns, reused: 0 });
  expect(signInSite.counts.refreshes).toBeGreaterThan(refreshes);
  expect((await identityRow(identity))?.jar_sealed).not.toBe(saved);
}, 240_000);

test("a live view ends with the session that opened it", async () => {
  const person = await app.addAccount("professional");
  const live = await open({}, person.token);
  await app.call("POST", "/api/auth/logout", undefined, { token: person.token });
  const [code] = await live.closed;
  expect(code).toBe(1006);
  await live.end();
});

test("a session that shows no proof isn't kept, and an identity that goes while it is used takes nothing with it", async () => {
  const cookies = signInSite.openSession();
  const pasted = { name: "Pasted", url: `${signInSite.origin}/account`, proof: { text: "Sign out" } };
  const identityId = await addIdentity({ ...pasted, cookies });
  const saved = (await identityRow(identityId))?.jar_sealed;
  const leave = async () => {
    const view = await open({ url: pasted.url, identityId });
    await showsSignOut(view);
    view.send({ type: "press", x: 30, y: 16, clicks: 1 });
    view.send({ type: "release", x: 30, y: 16, clicks: 1 });
    await view.reached("/sign-out");
    return view;
  };
  // A page of another site doesn't get it, as at checks.
  const { body } = await ask({ identityId });
  const { db } = app.app;
  const elsewhere = await db.selectFrom("live_views").selectAll().where("id", "=", body.liveViewId).execute();
  expect(elsewhere).toMatchObject([{ identity_id: null, origins: [`http://${addressOf(site)}`] }]);
  await (await leave()).end();
  expect(await identityRow(identityId)).toMatchObject({ jar_sealed: saved, lease: null });

  const path = `/api/identities/${identityId}`;
  for (const [method, body, message] of [
    ["PUT", { ...pasted, name: "Other" }, "“Other” was changed."],
    ["DELETE", undefined, "This identity was deleted."],
  ] as const) {
    const view = await leave();
    const answer = await app.call(method, path, body, { token: owner.token });
    expect(answer.status).toBe(200);
    await expect
      .poll(() => view.find("notice")?.message, view.patient)
      .toBe(`${message} You can go on, but its session isn’t kept.`);
    expect((await ask()).status).toBe(409);
    view.send({ type: "finish" });
    await expect
      .poll(() => view.find("recorded")?.steps, view.patient)
      .toMatchObject([{ type: "click", assertedEvents: [{ type: "navigation" }] }]);
    await view.closed;
    expect(JSON.stringify(view.outputs)).not.toContain(cookies.split("=")[1]);
  }
}, 240_000);

test("who leaves while the browser starts, or while a page doesn't answer, keeps no place", async () => {
  const rowOf = (id: string) =>
    app.app.db.selectFrom("live_views").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const { body } = await ask();
  const gone = new AbortController();
  const connection = { send: () => undefined, sendFrame: () => undefined, onInput: () => undefined };
  const browsers = { ...app.app.liveBrowsers, use: () => new Promise<void>(() => undefined) };
  await app.app.db
    .updateTable("live_views")
    .set({ open_until: new Date(Date.now() + 60_000) })
    .where("id", "=", body.liveViewId)
    .execute();
  const running = runLiveView({ ...app.app.jobs, browsers }, await rowOf(body.liveViewId), {
    ...connection,
    gone: gone.signal,
  });
  expect((await ask()).status).toBe(409);
  gone.abort();
  await running;
  const silent = await open({ url: `http://${addressOf(site)}/silent` });
  await silent.end();
  expect((await ask()).status).toBe(200);
});
