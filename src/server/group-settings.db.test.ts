import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { html, story } from "#checks/testing/page.ts";
import { GroupSettings } from "#contract/job.ts";
import { judgeAs, startModelServer } from "#second-opinion/testing/model-server.ts";

// Sets every group default through the API, lets the engine run checks, and asserts the effect from the outside.

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
beforeEach(() => {
  world.site.page.failure = null;
});

type Person = Awaited<ReturnType<typeof world.person>>;

const shopPage = (price: string, ad = "") =>
  html(...story, `Fjell lamp <b id="price">${price}</b> €`, `<span class="ad">${ad}</span>`);
const putSettings = (person: Person, settings: object) =>
  person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, settings);
const onlyAlertOf = (is: "additions" | "removals") => ({ match: "all", conditions: [{ what: "only", is }] });

/** For each group default, its effect on a job that inherits it and on a job that has a setting of its own. */
const settingTests: Record<string, (person: Person) => Promise<void>> = {
  async headers(person) {
    await putSettings(person, {
      headers: [
        { name: "X-Key", value: "of-all" },
        { name: "X-All", value: "all" },
      ],
    });
    await person.createJob({ headers: [{ name: "x-key", value: "own" }] });
    expect(world.site.requests.at(-1)?.headers).toEqual([
      ["X-All", "all"],
      ["x-key", "own"],
    ]);
    // Masked headers that are sent back unchanged keep their values.
    const { body } = await person.call("GET", `/api/jobs/groups/${person.groupId}`);
    expect(JSON.stringify(body)).not.toContain("of-all");
    await putSettings(person, body.settings as unknown as object);
    await person.createJob();
    expect(world.site.requests.at(-1)?.headers).toEqual([
      ["X-Key", "of-all"],
      ["X-All", "all"],
    ]);
  },
  async pageSteps(person) {
    const steps = (selector: string) => [{ type: "click", selectors: [[selector]] }];
    await putSettings(person, { pageSteps: steps("#of-group") });
    const seen = () => world.site.requests.at(-1)?.pageSteps?.steps;
    await person.createJob();
    expect(seen()).toEqual(steps("#of-group"));
    await person.createJob({ pageSteps: steps("#own") });
    expect(seen()).toEqual(steps("#own"));
  },
  async stepSecrets(person) {
    await putSettings(person, {
      pageSteps: [
        { type: "change", selectors: [["#password"]], value: "of-all" },
        { type: "change", selectors: [["#code"]], value: "{{secret.code}}" },
      ],
      stepSecrets: [{ name: "code", value: "of-group" }],
    });
    const seen = () => Object.fromEntries(world.site.requests.at(-1)?.pageSteps?.secrets ?? []);
    await person.createJob({ stepSecrets: [{ name: "code", value: "own" }] });
    expect(seen()).toEqual({ password: "of-all", code: "own" });
    // Masked secrets that are sent back unchanged keep their values.
    const { body } = await person.call("GET", `/api/jobs/groups/${person.groupId}`);
    expect(JSON.stringify(body)).not.toMatch(/of-all|of-group/);
    await putSettings(person, body.settings as unknown as object);
    await person.createJob();
    expect(seen()).toEqual({ password: "of-all", code: "of-group" });
  },
  async identity(person) {
    const url = "http://127.0.0.1:8080/";
    const proof = { text: "Sign out" };
    const { body } = await person.call("POST", "/api/identities", {
      name: "Ana",
      url,
      cookies: "session=8f14e45fceea167a",
      proof,
    });
    const { id } = body.identity as unknown as { id: string };
    await putSettings(person, { identity: id });
    const seen = () => world.site.requests.at(-1)?.session?.identityId;
    await person.createJob({ url });
    expect(seen()).toBe(id);
    await person.createJob({ url, identity: "none" });
    expect(seen()).toBeUndefined();
  },
  async sharesSignedIn(person) {
    const id = await person.createJob();
    await world.app.db.updateTable("jobs").set({ signed_in: true }).where("id", "=", id).execute();
    const { id: executionId } = await person.execution(id, 1);
    const share = () => person.call("POST", `/api/jobs/${id}/share`, { executionId });
    expect((await share()).body).toMatchObject({ code: "CONFLICT" });
    await putSettings(person, { sharesSignedIn: true });
    expect((await share()).status).toBeLessThan(300);
  },
  async proxies(person) {
    const proxy = (name: string) => ({ name, protocol: "http", host: "127.0.0.1", port: 8080 });
    const ids: string[] = [];
    for (const name of ["A", "B"]) {
      const { body } = await person.call("POST", "/api/proxies", proxy(name));
      ids.push((body.proxy as unknown as { id: string }).id);
    }
    const namesOf = () => world.site.requests.at(-1)?.proxies?.map(({ name }) => name);
    await putSettings(person, { proxies: [ids[0]] });
    await person.createJob();
    expect(namesOf()).toEqual(["A"]);
    await person.createJob({ proxies: [ids[1]] });
    expect(namesOf()).toEqual(["B"]);
    await person.createJob({ proxies: ["direct"] });
    expect(namesOf()).toEqual([]);
  },
  async secondOpinion(person) {
    const model = await startModelServer();
    try {
      model.state.reply = judgeAs("routine");
      const endpoint = { url: model.url, model: "m", isOn: true };
      await person.call("PUT", "/api/second-opinion", endpoint);
      await putSettings(person, { secondOpinion: { use: "lower", matters: "Prices of lamps" } });
      world.site.page.html = html(...story);
      const id = await person.createJob({ secondOpinion: { matters: "Names of lamps" } });
      await person.execution(id, 1);
      world.site.page.html = html(...story, "A lamp of another name");
      const run = await person.run(id);
      await world.waitFor("the opinion", async () => {
        const { body } = await person.call("GET", `/api/jobs/${id}/executions/${run.id}`);
        return (body.opinion as unknown as { lowered: boolean } | null)?.lowered;
      });
      expect(model.asked[0]?.body.messages[1]?.content).toContain("Names of lamps");
    } finally {
      await model.close();
    }
  },
  async browser(person) {
    await putSettings(person, { browser: { device: "phone", language: "de" } });
    await person.createJob({ browser: { language: "fr" } });
    expect(world.site.requests.at(-1)?.browser).toEqual({ device: "phone", language: "fr" });
    await person.createJob();
    expect(world.site.requests.at(-1)?.browser).toEqual({ device: "phone", language: "de" });
  },
  async selector(person) {
    const [job, overridingJob] = [
      await person.createJob({}, shopPage("1", "a")),
      await person.createJob({ selector: ".ad" }, shopPage("1", "a")),
    ];
    await putSettings(person, { selector: "#price" });
    world.site.page.html = shopPage("1", "b");
    expect(await person.run(job)).toMatchObject({ changed: false, error: null });
    expect(await person.run(overridingJob)).toMatchObject({ changed: true });
    expect((await person.call("GET", `/api/jobs/${job}`)).body).toMatchObject({
      selector: null,
      inherited: { selector: "#price" },
    });
  },
  async steps(person) {
    const steps = [{ do: "capture", text: "/(\\d+)\\.\\d+ €/" }];
    await putSettings(person, { steps });
    const [job, overridingJob] = [
      await person.createJob({}, shopPage("59.10")),
      await person.createJob({ steps: [{ do: "keep", text: "lamp" }] }, shopPage("59.10")),
    ];
    world.site.page.html = shopPage("59.80");
    expect(await person.run(job)).toMatchObject({ changed: false, error: null });
    expect(await person.run(overridingJob)).toMatchObject({ changed: true });
  },
  async message(person) {
    await putSettings(person, { message: { title: "Of the group", text: "" } });
    const [job, own] = [
      await person.createJob({}, shopPage("59", "")),
      await person.createJob({ message: { title: "Of the job", text: "" } }, shopPage("59", "")),
    ];
    world.site.page.html = shopPage("64", "");
    for (const id of [job, own]) await person.deliveriesOf(id, (await person.run(id)).id);
    expect((await person.alerts()).map(({ subject }) => subject)).toEqual(["Of the group", "Of the job"]);
  },
  async compareAs(person) {
    await putSettings(person, { compareAs: "source" });
    const job = await person.createJob({}, shopPage("59", "<!-- build 1 -->"));
    world.site.page.html = shopPage("59", "<!-- build 2 -->");
    expect(await person.run(job)).toMatchObject({ changed: true });
  },
  async ignore(person) {
    const job = await person.createJob({ ignore: ["#price"] }, shopPage("1", "a"));
    await putSettings(person, { ignore: [".ad"] });
    world.site.page.html = shopPage("2", "b");
    expect(await person.run(job)).toMatchObject({ changed: false, error: null });
    await putSettings(person, {});
    world.site.page.html = shopPage("3", "c");
    expect(await person.run(job)).toMatchObject({ changed: true });
  },
  async alertIf(person) {
    await putSettings(person, { alertIf: onlyAlertOf("removals") });
    const job = await person.createJob();
    const overridingJob = await person.createJob({ alertIf: { match: "all", conditions: [] } });
    const whyQuiet = "nothing was removed";
    expect(await person.change(job, "A new line")).toMatchObject({ changed: true, untold: whyQuiet });
    expect(await person.change(overridingJob, "A new line")).toMatchObject({ changed: true, untold: null });
    // A condition on a value applies to the jobs that follow a value of that name.
    const conditions = [{ what: "number", name: "price", is: "below", amount: 50 }];
    await putSettings(person, { alertIf: { match: "all", conditions } });
    const values = [{ name: "price", by: "selector", rule: "#price" }];
    const pricedJob = await person.createJob({ values }, shopPage("59"));
    const otherJob = await person.createJob({}, shopPage("59"));
    world.site.page.html = shopPage("55");
    const tooDear = "price is 55, you asked for below 50";
    expect(await person.run(pricedJob)).toMatchObject({ changed: true, untold: tooDear });
    expect(await person.run(otherJob)).toMatchObject({ changed: true, untold: null });
    world.site.page.html = shopPage("45");
    expect(await person.run(pricedJob)).toMatchObject({ changed: true, untold: null });
  },
  async schedule(person) {
    const [job, overridingJob] = [
      await person.createJob(),
      await person.createJob({ schedule: { zone: "UTC", cron: "15 4 * * *" } }),
    ];
    const due = async (id: string) =>
      new Date(String((await person.call("GET", `/api/jobs/${id}`)).body.nextRunAt)).getUTCHours();
    await putSettings(person, { schedule: { zone: "UTC", cron: "0 9 1 1 *" } });
    expect([await due(job), await due(overridingJob)]).toEqual([9, 4]);
    await putSettings(person, {});
    const { body } = await person.call("GET", `/api/jobs/${job}`);
    expect(Date.parse(String(body.nextRunAt)) - Date.now()).toBeLessThan(2 * 3_600_000);
    expect(await due(overridingJob)).toBe(4);
  },
  async tellFailures(person) {
    await putSettings(person, { tellFailures: { down: 1, gone: 1 } });
    const [job, overridingJob] = [
      await person.createJob(),
      await person.createJob({ tellFailures: { down: 10, gone: 10 } }),
    ];
    world.site.page.failure = { kind: "refused", message: "Nobody answers there." };
    await person.run(overridingJob);
    expect(await person.feed()).toEqual([]);
    await person.run(job);
    expect(await person.feed()).toMatchObject([{ kind: "failing" }]);
  },
  async channels(person) {
    await putSettings(person, { channels: ["discord"] });
    const job = await person.createJob();
    const { id } = await person.change(job, "A new line");
    expect((await person.deliveriesOf(job, id)).map(({ channel }) => channel)).toEqual(["discord"]);
    const mailGroup = await person.call("POST", "/api/jobs/groups", { name: "By mail" });
    await person.call("PUT", `/api/jobs/groups/${mailGroup.body.id}/settings`, { channels: ["email"] });
    const mailJob = await person.createJob({ groupId: mailGroup.body.id });
    const mailedChange = await person.change(mailJob, "Another new line");
    expect((await person.deliveriesOf(mailJob, mailedChange.id)).map(({ channel }) => channel)).toEqual([
      "email",
    ]);
    expect((await person.alerts()).map(({ text }) => text).join()).toContain("Another new line");
    expect(
      world.discord.messages.filter(({ message }) => JSON.stringify(message).includes("Another")),
    ).toEqual([]);
  },
};

test.for(Object.entries(settingTests))(
  "the group default %s takes effect on the group's jobs",
  async ([, testSetting]) => {
    expect.hasAssertions();
    await testSetting(await world.person({ discord: true }));
  },
);

test("every group default has a test here", () => {
  expect(Object.keys(settingTests).sort()).toEqual(
    Object.keys(z.toJSONSchema(GroupSettings).properties ?? {}).sort(),
  );
});

test("invalid settings are refused at their field, and none of them is stored", async () => {
  const person = await world.person();
  await person.createJob({ name: "Prices", selector: "#price" });
  const numberCondition = { what: "number", name: "price", is: "up", amount: 0 };
  const refused: [settings: object, field: string, message: string][] = [
    [{ selector: "##[" }, "selector", "is not understood"],
    [
      { ignore: [".ad", "#Price"] },
      "ignore.1",
      "Nothing would be left of the job Prices: it compares only “#price”.",
    ],
    [
      { alertIf: { match: "all", conditions: [{ ...numberCondition, is: "below", percent: true }] } },
      "alertIf.conditions.0",
      "“below” compares with a number, not a percentage",
    ],
    [
      { alertIf: { match: "all", conditions: [{ ...numberCondition, name: "" }] } },
      "alertIf.conditions.0",
      "Choose a number",
    ],
    [{ schedule: { zone: "UTC", cron: "nine" } }, "schedule.cron", "isn’t a cron line"],
    [{ headers: [{ name: "Host", value: "x" }] }, "headers", ""],
    [{ channels: [] }, "channels", "Choose at least one channel."],
  ];
  for (const [settings, field, message] of refused) {
    const { status, body } = await putSettings(person, settings);
    expect([status, body.field]).toEqual([400, field]);
    expect(body.message).toContain(message);
  }
  const { body } = await person.call("GET", `/api/jobs/groups/${person.groupId}`);
  expect(body.settings).toEqual(GroupSettings.parse({}));
  await putSettings(person, { ignore: [".ad"] });
  const { body: otherGroup } = await person.call("POST", "/api/jobs/groups", { name: "Other" });
  const otherJob = await person.createJob({ selector: ".ad\n#price", groupId: otherGroup.id });
  const messageStart = "Nothing would be left: only “";
  const refusedUpdates: [
    Promise<{ status: number; body: Record<string, unknown> }>,
    field: string,
    message: string,
  ][] = [
    [
      person.call("PATCH", `/api/jobs/${otherJob}`, { groupId: person.groupId, selector: ".Ad" }),
      "selector",
      `${messageStart}.Ad” is compared, and the group ignores it.`,
    ],
    [
      person.call("PATCH", `/api/jobs/${otherJob}`, { ignore: [".x", "#price", ".ad"] }),
      "ignore.1",
      `${messageStart}.ad\n#price” is compared, and it is ignored.`,
    ],
  ];
  for (const [answer, field, message] of refusedUpdates) {
    const { status, body } = await answer;
    expect([status, body.field, body.message]).toEqual([400, field, message]);
  }
  const stranger = await world.person();
  expect((await stranger.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, {})).status).toBe(404);
});
