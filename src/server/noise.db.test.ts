import { beforeAll, beforeEach, expect, test } from "vitest";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { html, story } from "#checks/testing/page.ts";

// What a user says of a difference, through the API and the chat, and what the next checks make of it.

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
beforeEach(() => {
  world.site.page.kind = "html";
});

type Person = Awaited<ReturnType<typeof world.person>>;
type Verdict = {
  reasons: { kind: string; changes: { id: string; before: string | null; after: string | null }[] }[];
  ignored: { place: string; why: string; since?: string; said?: string; after: string | null }[];
};
type Noise = {
  learned: { id: string | null; place: string; why: string; since: string | null; samples: string[] }[];
  kept: { place: string; since: string | null }[];
  answers: unknown[];
};

const shop = (...lines: string[]) => html(...story, ...lines);

function work(person: Person, jobId: string) {
  const show = (...lines: string[]) => {
    world.site.page.html = shop(...lines);
    return person.run(jobId);
  };
  const verdict = async (executionId: string) =>
    (await person.call("GET", `/api/jobs/${jobId}/executions/${executionId}`)).body
      .verdict as unknown as Verdict;
  const told = async (executionId: string) =>
    (await verdict(executionId)).reasons.flatMap(({ changes }) => changes);
  const noise = async () => (await person.call("GET", `/api/jobs/${jobId}/noise`)).body as unknown as Noise;
  const say = (path: string, body: object) => person.call("POST", `/api/jobs/${jobId}/${path}`, body);
  return { show, verdict, told, noise, say };
}

async function watch(options: Parameters<typeof world.person>[0], ...lines: string[]) {
  const person = await world.person(options);
  const jobId = await person.createJob({}, shop(...lines));
  return { person, jobId, ...work(person, jobId) };
}

test("'This is noise' of one difference: it is silent, its neighbour is told; taken back, it is told again", async () => {
  const { show, told, noise, say, verdict, person, jobId } = await watch(
    {},
    "Ten people are here",
    "Doors close at ten",
  );
  const changed = await show("Nine people are here", "Doors close at nine");
  const both = await told(changed.id);
  expect(both.map(({ after }) => after)).toEqual(["Nine people are here", "Doors close at nine"]);
  const marked = await say(`executions/${changed.id}/noise`, { ids: [both[0]?.id] });
  expect(marked.body.code).toBe("NOISE_MARKED");
  expect(await person.logsOf(jobId)).toContain("[info] Marked as noise: 1 difference");
  expect(await show("Six people are here", "Doors close at nine")).toMatchObject({ changed: false });
  const next = await show("Two people are here", "Doors close at six");
  expect((await told(next.id)).map(({ after }) => after)).toEqual(["Doors close at six"]);
  const [entry] = (await noise()).learned;
  expect(entry).toMatchObject({ why: "said", samples: ["Ten people are here", "Nine people are here"] });
  expect((await verdict(next.id)).ignored).toMatchObject([
    { why: "said", said: entry?.id, since: entry?.since },
  ]);
  expect((await say("noise/take-back", { id: entry?.id })).body.code).toBe("NOISE_TAKEN_BACK");
  expect((await noise()).learned).toEqual([]);
  expect(await show("Four people are here", "Doors close at six")).toMatchObject({ changed: true });
});

test("'Tell me of this' of what was ignored, and taken back", async () => {
  const { show, verdict, noise, say } = await watch({}, "Updated 5 minutes ago");
  const quiet = await show("Updated 9 minutes ago");
  const { place } = (await verdict(quiet.id)).ignored.find(({ why }) => why === "time") ?? {};
  expect(quiet.changed).toBe(false);
  await say("noise/unlearn", { place });
  expect(await show("Updated 12 minutes ago")).toMatchObject({ changed: true });
  expect((await noise()).kept).toEqual([{ place, since: expect.any(String) }]);
  await say("noise/take-back", { place });
  expect(await show("Updated 15 minutes ago")).toMatchObject({ changed: false });
});

test("'This is noise' of a string that was looked for, of a followed value and of the page as a whole", async () => {
  const { person, jobId, show, told, noise, say, verdict } = await watch({}, "Offer 5 €");
  const marked = async (id: string, text: string) => {
    const one = (await told(id)).find(({ before, after }) => [before, after].includes(text));
    expect(await say(`executions/${id}/noise`, { ids: [one?.id] })).toMatchObject({
      body: { code: "NOISE_MARKED" },
    });
  };
  await person.call("PATCH", `/api/jobs/${jobId}`, {
    lookup: { strings: ["ticket"], when: "appears" },
    values: [{ name: "offer", by: "pattern", rule: "/Offer (\\d+)/" }],
    ignore: ["/Offer .*/"],
  });
  await show("Offer 5 €");
  const wanted = await show("Offer 6 €", "Old ticket desk, closed", "Room 4");
  expect((await verdict(wanted.id)).reasons.map(({ kind }) => kind)).toEqual(["value", "lookup", "text"]);
  await marked(wanted.id, "Old ticket desk, closed");
  await marked(wanted.id, "6");
  await show("Offer 6 €", "Room 4");
  const again = await show("Offer 7 €", "Old ticket desk, closed", "Room 5");
  expect((await verdict(again.id)).reasons.map(({ kind }) => kind)).toEqual(["text"]);
  expect((await verdict(again.id)).ignored.slice(0, 2)).toMatchObject([
    { place: "followed offer", why: "said", before: "6", after: "7" },
    { place: "lookup ticket", why: "said" },
  ]);
  // Another line with the string is told: only the very one was noise.
  await show("Offer 7 €", "Room 5");
  const other = await show("Offer 7 €", "Room 5", "Buy a ticket here");
  expect((await verdict(other.id)).reasons[0]).toMatchObject({ kind: "lookup" });
  for (const { id } of (await noise()).learned) await say("noise/take-back", { id });
  expect(await show("Offer 8 €", "Room 5", "Buy a ticket here")).toMatchObject({ summary: "offer 7 → 8" });

  const gone =
    "<main><p>We moved. Nothing of what stood here is left, look for us somewhere else.</p></main>";
  const shown = async (page: string) => {
    world.site.page.html = page;
    return verdict((await person.run(jobId)).id);
  };
  const lost = await shown(gone);
  const whole = lost.reasons.find(({ kind }) => kind === "defacement")?.changes[0]?.id;
  const [latest] = await person.executionsOf(jobId);
  await say(`executions/${latest?.id}/noise`, { ids: [whole] });
  await show("Offer 8 €", "Room 5", "Buy a ticket here");
  const back = await shown(gone);
  expect(back.reasons.map(({ kind }) => kind)).not.toContain("defacement");
  expect(back.ignored).toContainEqual(expect.objectContaining({ place: "whole page", why: "said" }));
});

test("'Tell me of this' of an order that is summed up, and it is noise again", async () => {
  const { person, jobId, verdict, say, noise } = await watch({ telegram: true }, "Ten people are here");
  const serve = async (...items: string[]) => {
    Object.assign(world.site.page, { kind: "json", html: JSON.stringify({ items }) });
    return person.run(jobId);
  };
  await serve("lamp", "stove", "chair");
  const quiet = await serve("stove", "lamp", "chair");
  const { ignored } = await verdict(quiet.id);
  expect(quiet.changed).toBe(false);
  expect(ignored).toMatchObject([{ place: "value items", why: "order", before: null, after: null }]);
  const { chat } = person;
  await world.telegram.message(chat, 2);
  await world.telegram.press(chat, `ignored:${quiet.id}`);
  const listed = await world.telegram.message(chat, 3);
  expect(listed.text).toContain("1. value items in another order");
  await world.telegram.press(chat, listed.buttons[0]?.callback_data ?? "");
  await world.waitFor("the wish", async () => (await noise()).kept.length === 1);
  const told = await serve("chair", "stove", "lamp");
  expect(told).toMatchObject({ changed: true, summary: "items in another order" });
  const [reason] = (await verdict(told.id)).reasons;
  await say(`executions/${told.id}/noise`, { ids: [reason?.changes[0]?.id] });
  expect(await serve("lamp", "chair", "stove")).toMatchObject({ changed: false });
});

test("what is said while a check is running is kept", async () => {
  const { person, jobId, show, told, noise, say } = await watch(
    {},
    "Ten people are here",
    "Updated 5 minutes ago",
  );
  const changed = await show("Nine people are here", "Updated 6 minutes ago");
  const [difference] = await told(changed.id);
  const before = world.site.requests.length;
  const release = world.site.pause();
  await person.call("POST", `/api/jobs/${jobId}/run`);
  await world.waitFor("the check", async () => world.site.requests.length > before);
  await say(`executions/${changed.id}/noise`, { ids: [difference?.id] });
  await say("noise/unlearn", { place: "main>p" });
  release();
  await person.execution(jobId, 3);
  expect(await noise()).toMatchObject({ learned: [{ why: "said" }], kept: [{ place: "main>p" }] });
  await say("noise/take-back", { place: "main>p" });
  expect(await show("Six people are here", "Updated 6 minutes ago")).toMatchObject({ changed: false });
});

test("'Why': what rules left out, by which of them; which channels told and which did not", async () => {
  const { person, jobId, show } = await watch(
    {},
    "Fjell lamp 59.00 €",
    '<i class="ad">Buy now</i>',
    "12 views today",
    "Old",
  );
  const first = (await person.executionsOf(jobId))[0]?.id;
  const rules = { ignore: ["/\\d+ views/", ".ad"] };
  await person.call("PATCH", `/api/jobs/${jobId}`, rules);
  const changed = await show("Fjell lamp 64.00 €", '<i class="ad">Buy later</i>', "19 views today", "New");
  const query = `from=${first}&to=${changed.id}`;
  const left = await person.call("GET", `/api/jobs/${jobId}/compare/left-out?${query}`);
  expect(left.body).toEqual({
    count: 2,
    differences: [
      expect.objectContaining({ before: "Buy now", after: "Buy later", rule: ".ad" }),
      expect.objectContaining({ before: "12 views today", after: "19 views today", rule: "/\\d+ views/" }),
    ],
  });
  // A rule that went since is no longer known, and what it left out is.
  await person.call("PATCH", `/api/jobs/${jobId}`, { ignore: [".ad"] });
  const later = await person.call("GET", `/api/jobs/${jobId}/compare/left-out?${query}`);
  const differences = later.body.differences as unknown as { rule: string | null }[];
  expect(differences.map(({ rule }) => rule)).toEqual([".ad", null]);
  await person.told(jobId, changed.id);
  expect(await person.detail(jobId, changed.id)).toMatchObject({
    deliveries: [{ channel: "email" }],
    passedOver: expect.arrayContaining([
      { channel: "telegram", why: "missing" },
      { channel: "discord", why: "missing" },
    ]),
  });
});

test("in a chat: asked which of several is noise, what was ignored, and told of it again", async () => {
  const { person, jobId, show, noise } = await watch(
    { telegram: true },
    "Ten people are here",
    "Doors close at ten",
    "Updated 5 minutes ago",
  );
  const changed = await show("Nine people are here", "Doors close at nine", "Updated 9 minutes ago");
  const { chat } = person;
  const alert = await world.telegram.message(chat, 2);
  expect(alert.buttons.map(({ text }) => text)).toEqual([
    "Run again",
    "Pause job",
    "This is noise",
    "Ignored: 1",
  ]);
  await world.telegram.press(chat, `noise:${changed.id}`);
  const asked = await world.telegram.message(chat, 3);
  expect(asked.text).toMatch(/^Which of these is noise\?\n1\. .*Nine.*\n2\. .*nine/);
  expect(asked.buttons.map(({ text }) => text)).toEqual(["1", "2", "All of it"]);
  for (const { callback_data } of asked.buttons)
    expect(Buffer.byteLength(callback_data)).toBeLessThanOrEqual(64);
  await world.telegram.press(chat, asked.buttons[1]?.callback_data ?? "");
  const said = await world.waitFor("the word", async () => (await noise()).learned[0]);
  expect(said.samples).toEqual(["Doors close at ten", "Doors close at nine"]);
  await world.telegram.press(chat, `ignored:${changed.id}`);
  const ignored = await world.telegram.message(chat, 4);
  expect(ignored.text).toContain("Updated");
  await world.telegram.press(chat, ignored.buttons[0]?.callback_data ?? "");
  await world.waitFor("the wish", async () => (await noise()).kept.length === 1);
  // The place is told of again, but for what was called noise there.
  const next = await show("Nine people are here", "Doors close at six", "Updated 12 minutes ago");
  expect(next.summary).toContain("Updated");
  expect(next.summary).not.toContain("Doors");
  expect(await person.logsOf(jobId)).toContain("[info] Marked as noise: 1 difference");
});

test("Z2 nobody else's words; bad ones are refused", async () => {
  const { jobId, show, told, say } = await watch({}, "Ten people are here");
  const changed = await show("Nine people are here");
  const [difference] = await told(changed.id);
  const stranger = await world.person();
  for (const [path, body] of [
    [`executions/${changed.id}/noise`, { ids: [difference?.id] }],
    ["noise/take-back", { place: "main>p" }],
  ] as const)
    expect((await stranger.call("POST", `/api/jobs/${jobId}/${path}`, body)).status, path).toBe(404);
  const query = `from=${changed.id}&to=${changed.id}`;
  expect((await stranger.call("GET", `/api/jobs/${jobId}/compare/left-out?${query}`)).status).toBe(404);
  for (const body of [{}, { id: "a", place: "b" }, { id: "../x" }, { place: "" }])
    expect((await say("noise/take-back", body)).status, JSON.stringify(body)).toBe(400);
  for (const ids of [[], ["<b>"], Array.from({ length: 101 }, () => "a")])
    expect((await say(`executions/${changed.id}/noise`, { ids })).status).toBe(400);
  const unknown = await say(`executions/${changed.id}/noise`, { ids: ["nosuchname"] });
  expect([unknown.status, unknown.body.message]).toEqual([
    409,
    "By the rules as they are now there is no such difference.",
  ]);
});
