import { beforeAll, beforeEach, expect, test } from "vitest";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { html, story } from "#checks/testing/page.ts";

// The user's feedback on differences, given through the API and the chat, and its effect on the next checks.

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

function jobActions(person: Person, jobId: string) {
  const serveAndRun = (...lines: string[]) => {
    world.site.page.html = shop(...lines);
    return person.run(jobId);
  };
  const verdict = async (executionId: string) =>
    (await person.call("GET", `/api/jobs/${jobId}/executions/${executionId}`)).body
      .verdict as unknown as Verdict;
  const changesOf = async (executionId: string) =>
    (await verdict(executionId)).reasons.flatMap(({ changes }) => changes);
  const noise = async () => (await person.call("GET", `/api/jobs/${jobId}/noise`)).body as unknown as Noise;
  const postFeedback = (path: string, body: object) =>
    person.call("POST", `/api/jobs/${jobId}/${path}`, body);
  return { serveAndRun, verdict, changesOf, noise, postFeedback };
}

async function watch(options: Parameters<typeof world.person>[0], ...lines: string[]) {
  const person = await world.person(options);
  const jobId = await person.createJob({}, shop(...lines));
  return { person, jobId, ...jobActions(person, jobId) };
}

test("'This is noise' on one difference suppresses only that difference until it is taken back", async () => {
  const { serveAndRun, changesOf, noise, postFeedback, verdict, person, jobId } = await watch(
    {},
    "Ten people are here",
    "Doors close at ten",
  );
  const changed = await serveAndRun("Nine people are here", "Doors close at nine");
  const changes = await changesOf(changed.id);
  expect(changes.map(({ after }) => after)).toEqual(["Nine people are here", "Doors close at nine"]);
  const marked = await postFeedback(`executions/${changed.id}/noise`, { ids: [changes[0]?.id] });
  expect(marked.body.code).toBe("NOISE_MARKED");
  expect(await person.logsOf(jobId)).toContain("[info] Marked as noise: 1 difference");
  expect(await serveAndRun("Six people are here", "Doors close at nine")).toMatchObject({ changed: false });
  const next = await serveAndRun("Two people are here", "Doors close at six");
  expect((await changesOf(next.id)).map(({ after }) => after)).toEqual(["Doors close at six"]);
  const [entry] = (await noise()).learned;
  expect(entry).toMatchObject({ why: "said", samples: ["Ten people are here", "Nine people are here"] });
  expect((await verdict(next.id)).ignored).toMatchObject([
    { why: "said", said: entry?.id, since: entry?.since },
  ]);
  expect((await postFeedback("noise/take-back", { id: entry?.id })).body.code).toBe("NOISE_TAKEN_BACK");
  expect((await noise()).learned).toEqual([]);
  expect(await serveAndRun("Four people are here", "Doors close at six")).toMatchObject({ changed: true });
});

test("'Alert me about this' on an ignored difference alerts it until it is taken back", async () => {
  const { serveAndRun, verdict, noise, postFeedback } = await watch({}, "Updated 5 minutes ago");
  const quiet = await serveAndRun("Updated 9 minutes ago");
  const { place } = (await verdict(quiet.id)).ignored.find(({ why }) => why === "time") ?? {};
  expect(quiet.changed).toBe(false);
  await postFeedback("noise/unlearn", { place });
  expect(await serveAndRun("Updated 12 minutes ago")).toMatchObject({ changed: true });
  expect((await noise()).kept).toEqual([{ place, since: expect.any(String) }]);
  await postFeedback("noise/take-back", { place });
  expect(await serveAndRun("Updated 15 minutes ago")).toMatchObject({ changed: false });
});

test("'This is noise' works for a lookup string, a followed value and the page as a whole", async () => {
  const { person, jobId, serveAndRun, changesOf, noise, postFeedback, verdict } = await watch(
    {},
    "Offer 5 €",
  );
  const markAsNoise = async (id: string, text: string) => {
    const change = (await changesOf(id)).find(({ before, after }) => [before, after].includes(text));
    expect(await postFeedback(`executions/${id}/noise`, { ids: [change?.id] })).toMatchObject({
      body: { code: "NOISE_MARKED" },
    });
  };
  await person.call("PATCH", `/api/jobs/${jobId}`, {
    lookup: { strings: ["ticket"], when: "appears" },
    values: [{ name: "offer", by: "pattern", rule: "/Offer (\\d+)/" }],
    ignore: ["/Offer .*/"],
  });
  await serveAndRun("Offer 5 €");
  const firstMatch = await serveAndRun("Offer 6 €", "Old ticket desk, closed", "Room 4");
  expect((await verdict(firstMatch.id)).reasons.map(({ kind }) => kind)).toEqual(["value", "lookup", "text"]);
  await markAsNoise(firstMatch.id, "Old ticket desk, closed");
  await markAsNoise(firstMatch.id, "6");
  await serveAndRun("Offer 6 €", "Room 4");
  const secondMatch = await serveAndRun("Offer 7 €", "Old ticket desk, closed", "Room 5");
  expect((await verdict(secondMatch.id)).reasons.map(({ kind }) => kind)).toEqual(["text"]);
  expect((await verdict(secondMatch.id)).ignored.slice(0, 2)).toMatchObject([
    { place: "followed offer", why: "said", before: "6", after: "7" },
    { place: "lookup ticket", why: "said" },
  ]);
  // Another line with the string is alerted: only the marked line is noise.
  await serveAndRun("Offer 7 €", "Room 5");
  const other = await serveAndRun("Offer 7 €", "Room 5", "Buy a ticket here");
  expect((await verdict(other.id)).reasons[0]).toMatchObject({ kind: "lookup" });
  for (const { id } of (await noise()).learned) await postFeedback("noise/take-back", { id });
  expect(await serveAndRun("Offer 8 €", "Room 5", "Buy a ticket here")).toMatchObject({
    summary: "offer 7 → 8",
  });

  const movedPage =
    "<main><p>We moved. Nothing of what stood here is left, look for us somewhere else.</p></main>";
  const verdictOn = async (page: string) => {
    world.site.page.html = page;
    return verdict((await person.run(jobId)).id);
  };
  const movedVerdict = await verdictOn(movedPage);
  const wholePageId = movedVerdict.reasons.find(({ kind }) => kind === "defacement")?.changes[0]?.id;
  const [latest] = await person.executionsOf(jobId);
  await postFeedback(`executions/${latest?.id}/noise`, { ids: [wholePageId] });
  await serveAndRun("Offer 8 €", "Room 5", "Buy a ticket here");
  const movedAgainVerdict = await verdictOn(movedPage);
  expect(movedAgainVerdict.reasons.map(({ kind }) => kind)).not.toContain("defacement");
  expect(movedAgainVerdict.ignored).toContainEqual(
    expect.objectContaining({ place: "whole page", why: "said" }),
  );
});

test("'Alert me about this' alerts a summarized change of order, which can be marked as noise again", async () => {
  const { person, jobId, verdict, postFeedback, noise } = await watch(
    { telegram: true },
    "Ten people are here",
  );
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
  await world.waitFor("the request for alerts", async () => (await noise()).kept.length === 1);
  const reordered = await serve("chair", "stove", "lamp");
  expect(reordered).toMatchObject({ changed: true, summary: "items in another order" });
  const [reason] = (await verdict(reordered.id)).reasons;
  await postFeedback(`executions/${reordered.id}/noise`, { ids: [reason?.changes[0]?.id] });
  expect(await serve("lamp", "chair", "stove")).toMatchObject({ changed: false });
});

test("feedback given while a check is running is not lost", async () => {
  const { person, jobId, serveAndRun, changesOf, noise, postFeedback } = await watch(
    {},
    "Ten people are here",
    "Updated 5 minutes ago",
  );
  const changed = await serveAndRun("Nine people are here", "Updated 6 minutes ago");
  const [difference] = await changesOf(changed.id);
  const requestsBefore = world.site.requests.length;
  const release = world.site.pause();
  await person.call("POST", `/api/jobs/${jobId}/run`);
  await world.waitFor("the check", async () => world.site.requests.length > requestsBefore);
  await postFeedback(`executions/${changed.id}/noise`, { ids: [difference?.id] });
  await postFeedback("noise/unlearn", { place: "main>p" });
  release();
  await person.execution(jobId, 3);
  expect(await noise()).toMatchObject({ learned: [{ why: "said" }], kept: [{ place: "main>p" }] });
  await postFeedback("noise/take-back", { place: "main>p" });
  expect(await serveAndRun("Six people are here", "Updated 6 minutes ago")).toMatchObject({ changed: false });
});

test("'Why' lists what rules left out, with the rule, and which channels sent the alert or did not", async () => {
  const { person, jobId, serveAndRun } = await watch(
    {},
    "Fjell lamp 59.00 €",
    '<i class="ad">Buy now</i>',
    "12 views today",
    "Old",
  );
  const first = (await person.executionsOf(jobId))[0]?.id;
  const rules = { ignore: ["/\\d+ views/", ".ad"] };
  await person.call("PATCH", `/api/jobs/${jobId}`, rules);
  const changed = await serveAndRun(
    "Fjell lamp 64.00 €",
    '<i class="ad">Buy later</i>',
    "19 views today",
    "New",
  );
  const query = `from=${first}&to=${changed.id}`;
  const left = await person.call("GET", `/api/jobs/${jobId}/compare/left-out?${query}`);
  expect(left.body).toEqual({
    count: 2,
    differences: [
      expect.objectContaining({ before: "Buy now", after: "Buy later", rule: ".ad" }),
      expect.objectContaining({ before: "12 views today", after: "19 views today", rule: "/\\d+ views/" }),
    ],
  });
  // A rule that was removed since is no longer named, but what it left out is still listed.
  await person.call("PATCH", `/api/jobs/${jobId}`, { ignore: [".ad"] });
  const later = await person.call("GET", `/api/jobs/${jobId}/compare/left-out?${query}`);
  const differences = later.body.differences as unknown as { rule: string | null }[];
  expect(differences.map(({ rule }) => rule)).toEqual([".ad", null]);
  // Steps are named by their number: each gets what the ones before it leave.
  const steps = [
    { do: "drop", text: "views", to: "" },
    { do: "capture", text: "/lamp (\\d+)/", to: "" },
  ];
  await person.call("PATCH", `/api/jobs/${jobId}`, { ignore: [".ad"], steps });
  const next = await serveAndRun(
    "Fjell lamp 69.00 €",
    '<i class="ad">Buy never</i>',
    "23 views today",
    "Newest",
  );
  const since = `from=${changed.id}&to=${next.id}`;
  const bySteps = await person.call("GET", `/api/jobs/${jobId}/compare/left-out?${since}`);
  expect(bySteps.body.differences).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ after: "Buy never", rule: ".ad" }),
      expect.objectContaining({ after: "23 views today", rule: "step 1: Leave out lines with “views”" }),
      expect.objectContaining({
        after: "Newest",
        rule: "step 2: Keep what a pattern captures “/lamp (\\d+)/”",
      }),
    ]),
  );
  await person.deliveriesOf(jobId, changed.id);
  expect(await person.detail(jobId, changed.id)).toMatchObject({
    deliveries: [{ channel: "email" }],
    passedOver: expect.arrayContaining([
      { channel: "telegram", why: "missing" },
      { channel: "discord", why: "missing" },
    ]),
  });
});

test("in a chat the user picks which difference is noise, lists ignored ones and gets alerts for one again", async () => {
  const { person, jobId, serveAndRun, noise } = await watch(
    { telegram: true },
    "Ten people are here",
    "Doors close at ten",
    "Updated 5 minutes ago",
  );
  const changed = await serveAndRun("Nine people are here", "Doors close at nine", "Updated 9 minutes ago");
  const { chat } = person;
  const alert = await world.telegram.message(chat, 2);
  expect(alert.buttons.map(({ text }) => text)).toEqual([
    "Run again",
    "Pause job",
    "This is noise",
    "Ignored: 1",
  ]);
  await world.telegram.press(chat, `noise:${changed.id}`);
  const question = await world.telegram.message(chat, 3);
  expect(question.text).toMatch(/^Which of these is noise\?\n1\. .*Nine.*\n2\. .*nine/);
  expect(question.buttons.map(({ text }) => text)).toEqual(["1", "2", "All of it"]);
  for (const { callback_data } of question.buttons)
    expect(Buffer.byteLength(callback_data)).toBeLessThanOrEqual(64);
  await world.telegram.press(chat, question.buttons[1]?.callback_data ?? "");
  const learned = await world.waitFor("the feedback", async () => (await noise()).learned[0]);
  expect(learned.samples).toEqual(["Doors close at ten", "Doors close at nine"]);
  await world.telegram.press(chat, `ignored:${changed.id}`);
  const ignored = await world.telegram.message(chat, 4);
  expect(ignored.text).toContain("Updated");
  await world.telegram.press(chat, ignored.buttons[0]?.callback_data ?? "");
  await world.waitFor("the request for alerts", async () => (await noise()).kept.length === 1);
  // The location is alerted again, except for what was marked as noise there.
  const next = await serveAndRun("Nine people are here", "Doors close at six", "Updated 12 minutes ago");
  expect(next.summary).toContain("Updated");
  expect(next.summary).not.toContain("Doors");
  expect(await person.logsOf(jobId)).toContain("[info] Marked as noise: 1 difference");
});

test("Z2 another account can't give feedback on a job, and invalid feedback is refused", async () => {
  const { jobId, serveAndRun, changesOf, postFeedback } = await watch({}, "Ten people are here");
  const changed = await serveAndRun("Nine people are here");
  const [difference] = await changesOf(changed.id);
  const stranger = await world.person();
  for (const [path, body] of [
    [`executions/${changed.id}/noise`, { ids: [difference?.id] }],
    ["noise/take-back", { place: "main>p" }],
  ] as const)
    expect((await stranger.call("POST", `/api/jobs/${jobId}/${path}`, body)).status, path).toBe(404);
  const query = `from=${changed.id}&to=${changed.id}`;
  expect((await stranger.call("GET", `/api/jobs/${jobId}/compare/left-out?${query}`)).status).toBe(404);
  for (const body of [{}, { id: "a", place: "b" }, { id: "../x" }, { place: "" }])
    expect((await postFeedback("noise/take-back", body)).status, JSON.stringify(body)).toBe(400);
  for (const ids of [[], ["<b>"], Array.from({ length: 101 }, () => "a")])
    expect((await postFeedback(`executions/${changed.id}/noise`, { ids })).status).toBe(400);
  const unknown = await postFeedback(`executions/${changed.id}/noise`, { ids: ["nosuchname"] });
  expect([unknown.status, unknown.body.message]).toEqual([
    409,
    "With the current rules, there’s no such difference.",
  ]);
});
