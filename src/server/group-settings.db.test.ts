import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { html, story } from "#checks/testing/page.ts";
import { GroupSettings } from "#contract/job.ts";

// Every setting that a group hands down: set through the API, checks run by the engine, the effect seen at the far end.

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
beforeEach(() => {
  world.site.page.failure = null;
});

type Person = Awaited<ReturnType<typeof world.person>>;

const shop = (price: string, aside = "") =>
  html(...story, `Fjell lamp <b id="price">${price}</b> €`, `<span class="ad">${aside}</span>`);
const put = (person: Person, settings: object) =>
  person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, settings);
const only = (is: "additions" | "removals") => ({ match: "all", conditions: [{ what: "only", is }] });

/** A group's settings, and what its jobs make of them: one as it is, one that says otherwise. */
const rows: Record<string, (person: Person) => Promise<void>> = {
  async headers(person) {
    await put(person, {
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
    // Sent back as they were shown they keep their values.
    const { body } = await person.call("GET", `/api/jobs/groups/${person.groupId}`);
    expect(JSON.stringify(body)).not.toContain("of-all");
    await put(person, body.settings as unknown as object);
    await person.createJob();
    expect(world.site.requests.at(-1)?.headers).toEqual([
      ["X-Key", "of-all"],
      ["X-All", "all"],
    ]);
  },
  async selector(person) {
    const [job, other] = [
      await person.createJob({}, shop("1", "a")),
      await person.createJob({ selector: ".ad" }, shop("1", "a")),
    ];
    await put(person, { selector: "#price" });
    world.site.page.html = shop("1", "b");
    expect(await person.run(job)).toMatchObject({ changed: false, error: null });
    expect(await person.run(other)).toMatchObject({ changed: true });
    expect((await person.call("GET", `/api/jobs/${job}`)).body).toMatchObject({
      selector: null,
      inherited: { selector: "#price" },
    });
  },
  async ignore(person) {
    const job = await person.createJob({ ignore: ["#price"] }, shop("1", "a"));
    await put(person, { ignore: [".ad"] });
    world.site.page.html = shop("2", "b");
    expect(await person.run(job)).toMatchObject({ changed: false, error: null });
    await put(person, {});
    world.site.page.html = shop("3", "c");
    expect(await person.run(job)).toMatchObject({ changed: true });
  },
  async alertIf(person) {
    await put(person, { alertIf: only("removals") });
    const job = await person.createJob();
    const other = await person.createJob({ alertIf: { match: "all", conditions: [] } });
    const untold = "something was added, you asked for removals only";
    expect(await person.change(job, "A new line")).toMatchObject({ changed: true, untold });
    expect(await person.change(other, "A new line")).toMatchObject({ changed: true, untold: null });
  },
  async schedule(person) {
    const [job, other] = [
      await person.createJob(),
      await person.createJob({ schedule: { zone: "UTC", cron: "15 4 * * *" } }),
    ];
    const due = async (id: string) =>
      new Date(String((await person.call("GET", `/api/jobs/${id}`)).body.nextRunAt)).getUTCHours();
    await put(person, { schedule: { zone: "UTC", cron: "0 9 1 1 *" } });
    expect([await due(job), await due(other)]).toEqual([9, 4]);
    await put(person, {});
    const { body } = await person.call("GET", `/api/jobs/${job}`);
    expect(Date.parse(String(body.nextRunAt)) - Date.now()).toBeLessThan(2 * 3_600_000);
    expect(await due(other)).toBe(4);
  },
  async tellFailures(person) {
    await put(person, { tellFailures: { down: 1, gone: 1 } });
    const [job, other] = [
      await person.createJob(),
      await person.createJob({ tellFailures: { down: 10, gone: 10 } }),
    ];
    world.site.page.failure = { kind: "refused", message: "Nobody answers there." };
    await person.run(other);
    expect(await person.feed()).toEqual([]);
    await person.run(job);
    expect(await person.feed()).toMatchObject([{ kind: "failing" }]);
  },
  async channels(person) {
    await put(person, { channels: ["discord"] });
    const job = await person.createJob();
    const { id } = await person.change(job, "A new line");
    expect((await person.told(job, id)).map(({ channel }) => channel)).toEqual(["discord"]);
    const other = await person.call("POST", "/api/jobs/groups", { name: "By mail" });
    await person.call("PUT", `/api/jobs/groups/${other.body.id}/settings`, { channels: ["email"] });
    const mailed = await person.createJob({ groupId: other.body.id });
    const next = await person.change(mailed, "Another new line");
    expect((await person.told(mailed, next.id)).map(({ channel }) => channel)).toEqual(["email"]);
    expect((await person.alerts()).map(({ text }) => text).join()).toContain("Another new line");
    expect(
      world.discord.messages.filter(({ message }) => JSON.stringify(message).includes("Another")),
    ).toEqual([]);
  },
};

test.for(Object.entries(rows))("%s", async ([, show]) => {
  expect.hasAssertions();
  await show(await world.person({ discord: true }));
});

test("every setting of a group has its row", () => {
  expect(Object.keys(rows).sort()).toEqual(
    Object.keys(z.toJSONSchema(GroupSettings).properties ?? {}).sort(),
  );
});

test("what cannot be is refused at its field, and nothing is kept of it", async () => {
  const person = await world.person();
  await person.createJob({ name: "Prices", selector: "#price" });
  const number = { what: "number", name: "price", is: "up", amount: 0 };
  const refused: [settings: object, field: string, message: string][] = [
    [{ selector: "##[" }, "selector", "is not understood"],
    [
      { ignore: [".ad", "#Price"] },
      "ignore.1",
      "Nothing would be left of the job Prices: it compares only “#price”.",
    ],
    [{ alertIf: { match: "all", conditions: [number] } }, "alertIf.conditions.0", "Numbers are a job's own"],
    [{ schedule: { zone: "UTC", cron: "nine" } }, "schedule.cron", "is no cron line"],
    [{ headers: [{ name: "Host", value: "x" }] }, "headers", ""],
    [{ channels: [] }, "channels", "Choose at least one channel."],
  ];
  for (const [settings, field, message] of refused) {
    const { status, body } = await put(person, settings);
    expect([status, body.field]).toEqual([400, field]);
    expect(body.message).toContain(message);
  }
  const { body } = await person.call("GET", `/api/jobs/groups/${person.groupId}`);
  expect(body.settings).toEqual(GroupSettings.parse({}));
  await put(person, { ignore: [".ad"] });
  const { body: other } = await person.call("POST", "/api/jobs/groups", { name: "Other" });
  const elsewhere = await person.createJob({ selector: ".ad\n#price", groupId: other.id });
  const nothing = "Nothing would be left: only “";
  const tries: [
    Promise<{ status: number; body: Record<string, unknown> }>,
    field: string,
    message: string,
  ][] = [
    [
      person.call("PATCH", `/api/jobs/${elsewhere}`, { groupId: person.groupId, selector: ".Ad" }),
      "selector",
      `${nothing}.Ad” is compared, and the group ignores it.`,
    ],
    [
      person.call("PATCH", `/api/jobs/${elsewhere}`, { ignore: [".x", "#price", ".ad"] }),
      "ignore.1",
      `${nothing}.ad\n#price” is compared, and it is ignored.`,
    ],
  ];
  for (const [answer, field, message] of tries) {
    const { status, body } = await answer;
    expect([status, body.field, body.message]).toEqual([400, field, message]);
  }
  const stranger = await world.person();
  expect((await stranger.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, {})).status).toBe(404);
});
