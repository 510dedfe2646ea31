import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { enqueueDue } from "#checks/enqueue-due.ts";
import { html, story } from "#checks/testing/page.ts";
import { NewJob } from "#contract/job.ts";

// Every setting of a job: set through the API, a check run by the engine, the effect seen at the far end. How a page is
// reached and waited for is shown by a real browser in engine.browser.test.ts; here the capture's request is the far end.

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
beforeEach(() => {
  Object.assign(world.site.page, { kind: "html", failure: null });
  world.hook.received.length = 0;
});

type Person = Awaited<ReturnType<typeof world.person>>;
type Row = [what: string, show: (person: Person) => Promise<void>];

const shop = (price: string, aside: string) =>
  html(...story, `Fjell lamp <b id="price">${price}</b> €`, `<span class="ad">${aside}</span>`);

/** A job on a page, and what its second check finds. */
async function watch(person: Person, settings: object, pages: [before: string, after: string]) {
  const id = await person.createJob(settings, pages[0]);
  world.site.page.html = pages[1];
  return { id, found: await person.run(id) };
}

const quiet = { changed: false, error: null, similarity: 100, summary: "No change" };

/** What is ignored may change as it likes and is told of nowhere; what stands beside it is told. */
const ignoring = (entry: string): Row => [
  entry,
  async (person) => {
    const settings = {
      ignore: [entry],
      trigger: {
        url: `${world.hook.url}/ignored`,
        method: "POST",
        body: '{"added": "{{added}}", "findings": {{findings}}}',
        strings: ["64.00"],
      },
    };
    const other = 'Only 12 left, write to <a href="mailto:deal@shop.example">deal@shop.example</a>';
    const { id, found } = await watch(person, settings, [shop("59.00", "Only 5 left"), shop("59.00", other)]);
    expect(found).toMatchObject(quiet);
    world.site.page.html = shop("64.00", other.replace("12", "3"));
    const changed = await person.run(id);
    expect(changed).toMatchObject({ changed: true, summary: "“Fjell lamp” 59.00 € → 64.00 €" });
    const { body } = await person.call("GET", `/api/jobs/${id}/compare?from=${found.id}&to=${changed.id}`);
    await person.told(id, changed.id);
    const [mail] = await person.alerts();
    const run = await world.eventually(
      "the run",
      async () => (await person.detail(id, changed.id)).triggerRuns[0]?.request,
    );
    for (const said of [JSON.stringify(body), mail?.text, mail?.html, run?.body]) {
      expect(said).toContain("64.00");
      expect(said).not.toMatch(/left|deal@/);
    }
  },
];

/** Only what is chosen counts; a selector that matches nothing fails the check and leaves the baseline. */
const comparing = (selector: string): Row => [
  selector,
  async (person) => {
    const { id, found } = await watch(person, { selector }, [
      shop("59.00", "Only 5 left"),
      shop("59.00", "Sold out"),
    ]);
    expect(found).toMatchObject(quiet);
    world.site.page.html = html(...story);
    expect(await person.run(id)).toMatchObject({
      changed: false,
      error: `Nothing on the page matches the selector ${selector}`,
    });
    world.site.page.html = shop("64.00", "Sold out");
    expect(await person.run(id)).toMatchObject({ changed: true, summary: "“59.00” → “64.00”" });
  },
];

const appears = (strings: string[], when = "appears") => ({ lookup: { strings, when } });
const hook = (more: object = {}) => ({ trigger: { url: `${world.hook.url}/fired`, method: "PUT", ...more } });

/** Fires a job's trigger, or not, by a change. */
async function fire(person: Person, settings: object) {
  const { id, found } = await watch(person, settings, [
    shop("59.00", "Only 5 left"),
    shop("64.00", "Only 5 left"),
  ]);
  await person.told(id, found.id);
  return world.eventually("the trigger", async () => {
    const isRefused = (await person.logsOf(id)).some((line) => line.includes("Trigger not fired"));
    return isRefused ? "not fired" : world.hook.received.at(-1);
  });
}

let fired: Awaited<ReturnType<typeof fire>> | undefined;
/** What one trigger with every setting sent: each of them is seen in it. */
async function fireOnce(person: Person) {
  const headers = [{ name: "X-Key", value: "k" }];
  fired ??= await fire(person, hook({ body: '{"now": "{{added}}"}', headers }));
  return fired;
}

type Wanted = { match?: "all" | "any"; conditions: object[] };
const priced = { values: [{ name: "price", by: "selector", rule: "#price" }] };

/** A change that is told, or is not and says why; with a trigger, so that it is seen to fire or not. */
const alerting = (what: string, wanted: Wanted, untold: string | null, more: object = {}): Row => [
  what,
  async (person) => {
    const settings = { ...priced, ...hook(), alertIf: { match: "all", ...wanted }, ...more };
    const { id, found } = await watch(person, settings, [
      shop("59.00", "Only 5 left"),
      shop("64.00", "Sold out"),
    ]);
    expect(found).toMatchObject({ changed: true, untold });
    if (untold === null) {
      await person.told(id, found.id);
      await world.eventually("the trigger", async () => world.hook.received.length > 0);
      return;
    }
    // What is to be told is written together with the execution.
    expect(await person.feed()).toEqual([]);
    expect(await person.detail(id, found.id)).toMatchObject({ deliveries: [], triggerRuns: [] });
    expect(await person.logsOf(id)).toContain(`[info] Not told: ${untold}`);
  },
];

const number = (is: string, amount = 0, percent = false) => ({
  conditions: [{ what: "number", name: "price", is, amount, percent }],
});
const textIs = (is: string, text: string) => ({ conditions: [{ what: "text", is, text }] });

const moreConditions = [
  alerting("text not added", textIs("added", "/Only \\d/"), "“/Only \\d/” was not added"),
  alerting("text removed", textIs("removed", "only 5"), null),
  alerting("text present", textIs("present", "lamp"), null),
  alerting("text not present", textIs("present", "only"), "“only” is not there"),
  alerting("text absent", textIs("absent", "only"), null),
  alerting("text not absent", textIs("absent", "lamp"), "“lamp” is there"),
  alerting("a number not below", number("below", 60), "price is 64, you asked for below 60"),
  alerting("a number above", number("above", 60), null),
  alerting("a number not above", number("above", 64), "price is 64, you asked for above 64"),
  alerting("a number up", number("up"), null),
  alerting("a number not down", number("down"), "price went up, you asked for down"),
  alerting("a number up by so much", number("up", 5), null),
  alerting("a number up by less", number("up", 6), "price went up by 5, you asked for up by 6"),
  alerting("a number up by per cent", number("up", 8, true), null),
  alerting(
    "another status",
    { conditions: [{ what: "status", is: "404" }] },
    "status is 200, you asked for 404",
  ),
  alerting("severity", { conditions: [{ what: "severity", atLeast: "notice" }] }, null),
  alerting("kind", { conditions: [{ what: "reason", kinds: ["script", "text"] }] }, null),
];

/** Two checks of a page, and what both read of a value. */
const following = (
  what: string,
  follow: object,
  pages: [before: string, after: string],
  values: [before: object, after: object],
  found: object,
): Row => [
  what,
  async (person) => {
    const { id, found: second } = await watch(person, { values: [{ name: "it", ...follow }] }, pages);
    expect(second).toMatchObject({ ...found, values: { it: values[1] } });
    const { body } = await person.call("GET", `/api/jobs/${id}/values`);
    expect(body.points).toMatchObject(values.map((it) => ({ values: { it } })));
  },
];

/** Says when a job is due next, and lets it be due some while ago, as if nothing had run since. */
async function dueOf(person: Person, id: string, agoMinutes?: number) {
  if (agoMinutes !== undefined) {
    await sql`update schedules set next_run_at = now() - ${agoMinutes} * interval '1 minute' where job_id = ${id}`.execute(
      world.app.db,
    );
    await enqueueDue(world.app.jobs, 100);
  }
  const { body } = await person.call("GET", `/api/jobs/${id}`);
  return new Date(String(body.nextRunAt));
}

/** What a capture is asked to send. */
const asking = (request: object, ask: object): Row => [
  JSON.stringify(request),
  async (person) => {
    const id = await person.createJob({ request });
    expect(world.site.requests.at(-1)?.ask).toMatchObject(ask);
    expect((await person.call("GET", `/api/jobs/${id}`)).body.request).toMatchObject(request);
  },
];

const inHours = (hours: number[]) => Array.from({ length: 7 }, () => hours);

const offered = (price: string, availability: string) =>
  html(...story).replace(
    "</head>",
    `<script type="application/ld+json">${JSON.stringify({ "@type": "Offer", price, availability })}</script></head>`,
  );

const rows: Record<string, Row[]> = {
  name: [
    [
      "stands in the alert",
      async (person) => {
        const { id, found } = await watch(person, { name: "Lamps" }, [shop("1", ""), shop("2", "")]);
        await person.told(id, found.id);
        expect((await person.alerts())[0]?.subject).toMatch(/^Lamps: /);
      },
    ],
  ],
  url: [
    [
      "is what is captured, and another one starts afresh",
      async (person) => {
        const id = await person.createJob({ url: "http://127.0.0.1:8080/one" });
        expect(world.site.requests.at(-1)?.url).toBe("http://127.0.0.1:8080/one");
        await person.call("PATCH", `/api/jobs/${id}`, { url: "http://127.0.0.1:8080/two" });
        expect(await person.execution(id, 2)).toMatchObject({ summary: "First capture" });
        expect(world.site.requests.at(-1)?.url).toBe("http://127.0.0.1:8080/two");
      },
    ],
  ],
  frequency: [
    [
      "says when the next check is due",
      async (person) => {
        const id = await person.createJob({ frequency: 30 });
        const minutes = async () => {
          const { nextRunAt } = (await person.call("GET", `/api/jobs/${id}`)).body;
          return (Date.parse(String(nextRunAt)) - Date.now()) / 60_000;
        };
        expect(await minutes()).toBeLessThan(90);
        await person.call("PATCH", `/api/jobs/${id}`, { frequency: 600 });
        expect(await minutes()).toBeGreaterThan(90);
      },
    ],
  ],
  groupId: [
    [
      "is where the job is listed",
      async (person) => {
        const { body } = await person.call("POST", "/api/jobs/groups", { name: "Other" });
        const id = await person.createJob({ groupId: body.id });
        const group = await person.call("GET", `/api/jobs/groups/${body.id}`);
        expect(group.body.Job).toMatchObject([{ id }]);
      },
    ],
  ],
  "schedule.cron": [
    [
      "says when the next check is due, and the one after it",
      async (person) => {
        const id = await person.createJob({ schedule: { zone: "UTC", cron: "30 9 * * *" } });
        const isDue = (due: Date) => due.getUTCHours() === 9 && due.getUTCMinutes() >= 30 && due > new Date();
        const first = await dueOf(person, id);
        expect(isDue(first) && first.getUTCMinutes() < 36).toBe(true);
        const second = await dueOf(person, id, 0);
        await person.execution(id, 2);
        expect(isDue(second)).toBe(true);
        // Also where it was due days ago: what was missed is checked once and said.
        expect(isDue(await dueOf(person, id, 3 * 1440))).toBe(true);
        await person.execution(id, 3);
        expect(await person.logsOf(id)).toContainEqual(expect.stringMatching(/checks? (was|were) missed/));
      },
    ],
    [
      "may be taken back",
      async (person) => {
        const id = await person.createJob({ frequency: 30, schedule: { zone: "UTC", cron: "30 9 1 1 *" } });
        await person.call("PATCH", `/api/jobs/${id}`, { schedule: null });
        expect((await dueOf(person, id)).getTime()).toBeLessThan(Date.now() + 40 * 60_000);
      },
    ],
  ],
  "schedule.week": [
    [
      "keeps checks to its hours",
      async (person) => {
        const far = (new Date().getUTCHours() + 6) % 24;
        const schedule = { zone: "UTC", week: inHours([far]) };
        const id = await person.createJob({ frequency: 30, schedule });
        expect((await dueOf(person, id)).getUTCHours()).toBe(far);
        // It was due when nothing ran; its hours are over now.
        expect((await dueOf(person, id, 600)).getUTCHours()).toBe(far);
        expect(await person.executionsOf(id)).toHaveLength(1);
        expect(await person.logsOf(id)).toContainEqual(expect.stringContaining("missed"));
        await person.call("PATCH", `/api/jobs/${id}`, {
          schedule: { zone: "UTC", week: inHours(Array.from({ length: 24 }, (_, hour) => hour)) },
        });
        const next = await dueOf(person, id, 0);
        await person.execution(id, 2);
        expect(next.getTime() - Date.now()).toBeGreaterThan(29 * 60_000);
        expect(next.getTime() - Date.now()).toBeLessThan(40 * 60_000);
      },
    ],
  ],
  "schedule.zone": [
    [
      "is whose clock counts",
      async (person) => {
        const id = await person.createJob({ schedule: { zone: "Asia/Kolkata", cron: "30 9 * * *" } });
        const due = await dueOf(person, id);
        expect([due.getUTCHours(), due.getUTCMinutes() < 6]).toEqual([4, true]);
      },
    ],
  ],
  channels: [
    [
      "are the ones that are told",
      async () => {
        const person = await world.person({ discord: true });
        const { id, found } = await watch(person, { channels: ["discord"] }, [shop("1", ""), shop("2", "")]);
        expect(await person.told(id, found.id)).toMatchObject([{ channel: "discord", state: "sent" }]);
        expect(await person.alerts()).toEqual([]);
        await person.call("PATCH", `/api/jobs/${id}`, { channels: ["telegram"] });
        world.site.page.html = shop("3", "");
        const third = await person.run(id);
        // No chat is linked: then all that there are are told.
        expect((await person.told(id, third.id)).map(({ channel }) => channel).sort()).toEqual([
          "discord",
          "email",
        ]);
      },
    ],
  ],
  "request.method": [asking({ method: "PUT" }, { method: "PUT" })],
  "request.body": [
    asking({ method: "POST", body: "q=lamps" }, { method: "POST", body: "q=lamps" }),
    [
      "has the date, as the address has",
      async (person) => {
        const request = { method: "POST", body: "day={{date:yyyy-MM-dd}}" };
        await person.createJob({ url: "http://127.0.0.1:8080/{{date:yyyy}}/x", request });
        const { url, ask } = world.site.requests.at(-1) ?? {};
        expect(url).toBe(`http://127.0.0.1:8080/${new Date().getUTCFullYear()}/x`);
        expect(ask?.body).toMatch(/^day=\d{4}-\d\d-\d\d$/);
      },
    ],
  ],
  "request.as": [
    asking({ method: "POST", body: "{}", as: "json" }, { contentType: "application/json" }),
    asking({ method: "POST", body: "a=b" }, { contentType: "application/x-www-form-urlencoded" }),
  ],
  "request.userAgent": [asking({ userAgent: "Prices/1.0" }, { headers: [["user-agent", "Prices/1.0"]] })],
  "request.language": [asking({ language: "de-DE" }, { headers: [["accept-language", "de-DE"]] })],
  "tellFailures.down": [
    [
      "tells at once, once, and again when it recovers",
      async (person) => {
        const id = await person.createJob({ tellFailures: { down: 1, gone: 10 } });
        world.site.page.failure = { kind: "refused", message: "Nobody answers there." };
        const failed = await person.run(id);
        await person.run(id);
        world.site.page.failure = null;
        const back = await person.run(id);
        await person.told(id, back.id);
        expect(await person.detail(id, failed.id)).toMatchObject({ deliveries: [{ state: "sent" }] });
        expect(
          (await person.alerts()).map(({ text }) => /Not seen: Nobody answers|answers again/.exec(text)?.[0]),
        ).toEqual(["Not seen: Nobody answers", "answers again"]);
      },
    ],
    [
      "tells after three",
      async (person) => {
        const id = await person.createJob({ tellFailures: { down: 3, gone: 1 } });
        world.site.page.failure = { kind: "refused", message: "Nobody answers there." };
        const kinds = async () => (await person.feed()).map(({ kind }) => kind);
        for (let i = 0; i < 2; i++) await person.run(id);
        expect(await kinds()).toEqual([]);
        await person.run(id);
        world.site.page.failure = null;
        expect(await kinds()).toEqual(["failing"]);
      },
    ],
  ],
  "tellFailures.gone": [
    [
      "is apart from a site that is down",
      async (person) => {
        const settings = { selector: "#price", tellFailures: { down: 10, gone: 1 } };
        const id = await person.createJob(settings, shop("59.00", ""));
        world.site.page.failure = { kind: "refused", message: "Nobody answers there." };
        await person.run(id);
        world.site.page.failure = null;
        expect(await person.feed()).toEqual([]);
        world.site.page.html = html(...story);
        await person.run(id);
        expect(await person.feed()).toMatchObject([
          {
            kind: "failing",
            message: "What is watched is gone: Nothing on the page matches the selector #price",
          },
        ]);
      },
    ],
  ],
  headers: [
    [
      "are sent",
      async (person) => {
        await person.createJob({ headers: [{ name: "X-Key", value: "k" }] });
        expect(world.site.requests.at(-1)?.headers).toEqual([["X-Key", "k"]]);
      },
    ],
  ],
  "waitFor.selector": [
    [
      "is waited for",
      async (person) => {
        await person.createJob({ waitFor: { selector: ".prices" } });
        expect(world.site.requests.at(-1)?.waitFor).toEqual({ selector: ".prices" });
      },
    ],
  ],
  "waitFor.seconds": [
    [
      "are waited",
      async (person) => {
        await person.createJob({ waitFor: { seconds: 3 } });
        expect(world.site.requests.at(-1)?.waitFor).toEqual({ seconds: 3 });
      },
    ],
  ],
  selector: [
    comparing("#price"),
    comparing("xpath://b[@id='price']"),
    [
      "jsonpath:$.items[*].price",
      async (person) => {
        const file = (price: number, views: number) => JSON.stringify({ views, items: [{ price, views }] });
        world.site.page.kind = "json";
        const settings = { selector: "jsonpath:$.items[*].price" };
        const { id, found } = await watch(person, settings, [file(59, 1), file(59, 2)]);
        expect(found).toMatchObject(quiet);
        world.site.page.html = file(64, 3);
        expect(await person.run(id)).toMatchObject({ changed: true, summary: "items[0].price: 59 → 64" });
        world.site.page.html = "{}";
        const error = "Nothing in the JSON matches the selector jsonpath:$.items[*].price";
        expect(await person.run(id)).toMatchObject({ error });
      },
    ],
    [
      "another one needs no new baseline",
      async (person) => {
        const { id, found } = await watch(person, {}, [shop("59.00", "a"), shop("59.00", "a")]);
        expect(found).toMatchObject(quiet);
        await person.call("PATCH", `/api/jobs/${id}`, { selector: "#price" });
        world.site.page.html = shop("64.00", "b");
        expect(await person.run(id)).toMatchObject({ changed: true, summary: "“59.00” → “64.00”" });
      },
    ],
  ],
  awaited: [
    [
      "a part that is not there yet is told of when it comes",
      async (person) => {
        const settings = { selector: "#ticket", awaited: true };
        const ticket = '<b id="ticket">Tickets are on sale now.</b>';
        const { id, found } = await watch(person, settings, [html(...story), html(...story, "More")]);
        expect(found).toMatchObject({ changed: false, error: null });
        world.site.page.html = html(...story, ticket);
        expect(await person.run(id)).toMatchObject({
          changed: true,
          summary: "“Tickets are on sale now.” added",
        });
      },
    ],
  ],
  ignore: [
    ignoring(".ad"),
    ignoring("xpath://*[@class='ad']"),
    ignoring("left"),
    ignoring("/Only \\d+ LEFT.*/i"),
    [
      "one that is set later counts at once",
      async (person) => {
        const { id, found } = await watch(person, {}, [
          shop("59.00", "Only 5 left"),
          shop("59.00", "Only 5 left"),
        ]);
        expect(found).toMatchObject(quiet);
        await person.call("PATCH", `/api/jobs/${id}`, { ignore: [".ad"] });
        world.site.page.html = shop("59.00", "Sold out");
        expect(await person.run(id)).toMatchObject(quiet);
      },
    ],
    [
      "a line of JSON",
      async (person) => {
        world.site.page.kind = "json";
        const { found } = await watch(person, { ignore: ["jsonpath:$.at", "/\\d+ views/"] }, [
          '{"at":1,"seen":"12 views","price":5}',
          '{"at":2,"seen":"19 views","price":5}',
        ]);
        expect(found).toMatchObject({ changed: false, error: null });
      },
    ],
  ],
  "lookup.strings": [
    [
      "words and patterns",
      async (person) => {
        const pages: [string, string] = [shop("59.00", "Only 5 left"), shop("59.00", "Sold out since 3 May")];
        const { found } = await watch(person, appears(["nothing", "/sold out since \\d/i"]), pages);
        expect(found.summary).toContain('"/sold out since \\d/i" appeared in the visible text');
      },
    ],
    [
      "but not in what is ignored",
      async (person) => {
        const pages: [string, string] = [shop("59.00", "Only 5 left"), shop("59.00", "Sold out")];
        const { found } = await watch(person, { ...appears(["sold out"]), ignore: [".ad"] }, pages);
        expect(found).toMatchObject(quiet);
      },
    ],
  ],
  "lookup.when": [
    [
      "disappears",
      async (person) => {
        const pages: [string, string] = [shop("59.00", "Only 5 left"), shop("59.00", "Sold out")];
        const { found } = await watch(person, appears(["only 5"], "disappears"), pages);
        expect(found.summary).toContain('"only 5" disappeared from the visible text');
      },
    ],
  ],
  "alertIf.match": [
    alerting(
      "any",
      { match: "any", conditions: [{ what: "status", is: "404" }, ...number("up").conditions] },
      null,
    ),
    alerting(
      "all",
      { conditions: [...number("up").conditions, { what: "status", is: "404" }] },
      "status is 200, you asked for 404",
    ),
  ],
  "alertIf.conditions": [
    alerting("text added", textIs("added", "sold out"), null),
    alerting("text not removed", textIs("removed", "lamp"), "“lamp” was not removed"),
    alerting("but not in what is ignored", textIs("added", "sold out"), "“sold out” was not added", {
      ignore: [".ad"],
    }),
    alerting("a number below", number("below", 65), null),
    alerting(
      "a number up by fewer per cent",
      number("up", 9, true),
      "price went up by 8.47458 %, you asked for up by 9 %",
    ),
    alerting("a number that is missing", number("below", 65), "price is missing", {
      values: [{ name: "price", by: "availability" }],
    }),
    alerting("status class", { conditions: [{ what: "status", is: "2xx" }] }, null),
    alerting(
      "too low a severity",
      { conditions: [{ what: "severity", atLeast: "critical" }] },
      "it is notice, you asked for critical",
    ),
    alerting(
      "another kind",
      { conditions: [{ what: "reason", kinds: ["script", "form"] }] },
      "it is value, text, you asked for script, form",
    ),
    alerting(
      "only additions",
      { conditions: [{ what: "only", is: "additions" }] },
      "something was removed, you asked for additions only",
    ),
    [
      "only additions, and there are no others",
      async (person) => {
        const alertIf = { match: "all", conditions: [{ what: "only", is: "additions" }] };
        const { id, found } = await watch(person, { alertIf }, [html(...story), html(...story, "More")]);
        expect(found).toMatchObject({ changed: true, untold: null });
        await person.call("PATCH", `/api/jobs/${id}`, {
          alertIf: { match: "all", conditions: [{ what: "only", is: "removals" }] },
        });
        world.site.page.html = html(...story, "More", "Yet more");
        const untold = "something was added, you asked for removals only";
        expect(await person.run(id)).toMatchObject({ changed: true, untold });
        await person.call("PATCH", `/api/jobs/${id}`, { alertIf: null });
        world.site.page.html = html(...story, "More");
        expect(await person.run(id)).toMatchObject({ changed: true, untold: null });
      },
    ],
    // Each way to ask is judged in conditions.test.ts; here one of each kind is told or not, and in the long set all are.
    ...(process.env.TEST_SIZE === "long" ? moreConditions : []),
  ],
  values: [
    following(
      "a price in JSON-LD, which nobody sees",
      { by: "price" },
      [offered("59.00", "InStock"), offered("64.00", "InStock")],
      [{ number: 59 }, { number: 64 }],
      { changed: true, summary: "it 59.00 → 64.00" },
    ),
    following(
      "back in stock",
      { by: "availability" },
      [offered("59.00", "SoldOut"), offered("59.00", "https://schema.org/InStock")],
      [{ text: "sold out" }, { text: "in stock" }],
      {
        changed: true,
        severity: "important",
        summary: expect.stringMatching(/^Back in stock: it was sold out/),
      },
    ),
    [
      "back in stock, told every time",
      async (person) => {
        const values = [{ name: "it", by: "availability" }];
        const sold = offered("59.00", "SoldOut");
        const { id } = await watch(person, { values }, [sold, offered("59.00", "InStock")]);
        for (let round = 0; round < 4; round++) {
          world.site.page.html = sold;
          expect(await person.run(id)).toMatchObject({ changed: true, folded: false });
          world.site.page.html = offered("59.00", "InStock");
          const back = await person.run(id);
          expect(back).toMatchObject({
            changed: true,
            folded: false,
            summary: expect.stringMatching(/^Back in stock/),
          });
          await person.told(id, back.id);
        }
      },
    ],
    following(
      "a selector, outside of what is compared",
      { by: "selector", rule: "#price" },
      [shop("1.059,00", "a"), shop("1.064,50", "a")],
      [{ number: 1059 }, { number: 1064.5 }],
      { changed: true, summary: "it 1.059,00 → 1.064,50" },
    ),
    following(
      "a pattern",
      { by: "pattern", rule: "/Only (\\d+) left/" },
      [shop("59.00", "Only 5 left"), shop("59.00", "Only 4 left")],
      [{ number: 5 }, { number: 4 }],
      { changed: true, summary: "it 5 → 4" },
    ),
    following(
      "one that goes missing is told, and is not nought",
      { by: "selector", rule: "#price" },
      [shop("59.00", "a"), html(...story, "Fjell lamp €", '<span class="ad">a</span>')],
      [{ number: 59 }, { text: null, number: null }],
      { changed: true },
    ),
    [
      "a lone number in what is compared",
      async (person) => {
        const settings = { selector: "#price", values: [{ name: "it", by: "number" }] };
        const { found } = await watch(person, settings, [shop("59.00", "1"), shop("64.00", "2")]);
        expect(found).toMatchObject({ summary: "it 59.00 → 64.00", values: { it: { number: 64 } } });
      },
    ],
    [
      "jsonpath, and in the trigger",
      async (person) => {
        world.site.page.kind = "json";
        const settings = {
          values: [{ name: "stock", by: "selector", rule: "jsonpath:$.items[0].stock" }],
          ...hook({ body: '{"stock": {{value.stock}}, "said": "{{value.stock}} left"}' }),
        };
        const file = (stock: number) => JSON.stringify({ items: [{ stock }] });
        const { id, found } = await watch(person, settings, [file(5), file(4)]);
        await person.told(id, found.id);
        const fired = await world.eventually("the trigger", async () => world.hook.received.at(-1));
        expect(JSON.parse(fired.body.toString())).toEqual({ stock: 4, said: "4 left" });
        const csv = await person.call("GET", `/api/jobs/${id}/export?format=csv`);
        expect(csv.raw.toString()).toContain("value.stock");
        expect(csv.raw.toString().split("\r\n")[1]).toMatch(/,4$/);
      },
    ],
  ],
  "trigger.url": [
    ["is asked", async (person) => expect(await fireOnce(person)).toMatchObject({ path: "/fired" })],
  ],
  "trigger.method": [
    ["is used", async (person) => expect(await fireOnce(person)).toMatchObject({ method: "PUT" })],
  ],
  "trigger.body": [
    [
      "is filled and sent",
      async (person) => {
        const fired = await fireOnce(person);
        expect(fired !== "not fired" && fired?.body.toString()).toContain("64.00");
      },
    ],
  ],
  "trigger.headers": [
    [
      "are sent",
      async (person) => expect(await fireOnce(person)).toMatchObject({ headers: { "x-key": "k" } }),
    ],
  ],
  "trigger.strings": [
    [
      "one of them stands there",
      async (person) =>
        expect(await fire(person, hook({ strings: ["/6\\d\\.00/"] }))).toMatchObject({ path: "/fired" }),
    ],
    [
      "none does",
      async (person) => expect(await fire(person, hook({ strings: ["sold out"] }))).toBe("not fired"),
    ],
    [
      "it stands only in what is ignored",
      async (person) =>
        expect(await fire(person, { ...hook({ strings: ["only 5"] }), ignore: [".ad"] })).toBe("not fired"),
    ],
  ],
};

/** The settings that the API takes, those inside others by their path. */
function settingsIn(schema: z.core.JSONSchema.BaseSchema, path = ""): string[] {
  const inner = [schema, ...(schema.anyOf ?? [])].find((one) => typeof one === "object" && one.properties);
  if (typeof inner !== "object" || !inner.properties) return [path];
  return Object.entries(inner.properties).flatMap(([name, one]) =>
    typeof one === "object" ? settingsIn(one, path === "" ? name : `${path}.${name}`) : [],
  );
}

test("a rule that cannot be understood is refused on save, at its field", async () => {
  const { createJob, call } = await world.person();
  const id = await createJob();
  const strings = ["fine", "/(/"];
  const refused: [input: object, field: string, message: string][] = [
    [{ selector: "##[" }, "selector", "“##[” is not understood at character 1"],
    [{ selector: "xpath://p[" }, "selector", "at character 10"],
    [{ selector: "jsonpath:$[" }, "selector", "This is not a JSONPath"],
    [{ ignore: [".ad", "p["] }, "ignore.1", "a text goes in quotes"],
    [{ ignore: ["/(?<=a)b/"] }, "ignore.0", "cannot look ahead or behind"],
    [{ ignore: [`/${"a".repeat(10_000)}/`] }, "ignore.0", ""],
    [{ ignore: Array.from({ length: 51 }, () => ".ad") }, "ignore", "At most 50 things to ignore."],
    [{ lookup: { strings, when: "appears" } }, "lookup.strings.1", "This is not a pattern"],
    [
      { trigger: { url: `${world.hook.url}/x`, method: "GET", strings } },
      "trigger.strings.1",
      "This is not a pattern",
    ],
    [{ values: [{ name: "a b", by: "price" }] }, "values.0.name", "A value's name is a word"],
    [{ values: [{ name: "constructor", by: "price" }] }, "values.0.name", "This name is not free."],
    [{ values: [{ name: "a", by: "selector", rule: "p[" }] }, "values.0.rule", "not a CSS selector"],
    [{ values: [{ name: "a", by: "pattern", rule: "a" }] }, "values.0.rule", "between slashes"],
    [{ values: ["a", "a"].map((name) => ({ name, by: "price" })) }, "values", "the same name"],
    [
      { alertIf: { match: "all", conditions: [{ what: "text", is: "added", text: " " }] } },
      "alertIf.conditions.0.text",
      "Say which text.",
    ],
    [
      { alertIf: { match: "all", conditions: [{ what: "moon" }] } },
      "alertIf.conditions.0.what",
      "There is no such condition.",
    ],
    [
      { alertIf: { match: "all", ...number("up") } },
      "alertIf.conditions.0",
      "No value of the name price is followed.",
    ],
    [
      {
        ...priced,
        alertIf: {
          match: "all",
          conditions: [...number("below", 5).conditions, ...number("above", 9).conditions],
        },
      },
      "alertIf.conditions.1",
      "No change can be both “price below 5” and “price above 9”.",
    ],
    [
      { trigger: { url: `${world.hook.url}/x`, method: "GET", body: '"{{value.price}}"' } },
      "trigger.body",
      "No value of the name price is followed.",
    ],
    [{ schedule: { zone: "Moon", cron: "0 9 * * *" } }, "schedule.zone", "“Moon” is no time zone"],
    [{ schedule: { zone: "UTC", cron: "9 o'clock" } }, "schedule.cron", "is no cron line"],
    [{ schedule: { zone: "UTC", cron: "0 0 30 2 *" } }, "schedule.cron", "never comes"],
    [{ schedule: { zone: "UTC", week: inHours([]) } }, "schedule.week", "Choose at least one hour."],
    [{ schedule: { zone: "UTC", week: [[9]] } }, "schedule.week", "A week has seven days."],
    [{ channels: [] }, "channels", "Choose at least one channel."],
    [{ url: "http://{{date:yyyy}}.example/" }, "url", "The host may not contain a date."],
    [{ url: "http://127.0.0.1/{{date:YYYY}}" }, "url", "no part of a date"],
    [{ request: { method: "POST", as: "json", body: "{" } }, "request.body", "The body is not JSON."],
    [{ request: { body: "a=b" } }, "request.body", "Nothing is sent with GET."],
    [{ request: { language: "<de>" } }, "request.language", "A language as de-DE"],
    [{ request: { userAgent: "a\nb" } }, "request.userAgent", "control characters"],
    [{ tellFailures: { down: 2, gone: 1 } }, "tellFailures.down", "After 1, 3 or 10 failed checks."],
    [{ waitFor: { selector: "p[" } }, "waitFor.selector", "This is not a CSS selector"],
  ];
  for (const [input, field, message] of refused) {
    const { status, body } = await call("PATCH", `/api/jobs/${id}`, input);
    expect([status, body.code, body.field]).toEqual([400, "INVALID_INPUT", field]);
    expect(body.message).toContain(message);
  }
  expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({
    selector: null,
    ignore: [],
    trigger: null,
  });
});

test("a cron line that the plan does not allow is refused, with the plan that does", async () => {
  const { createJob, call } = await world.person({ plan: "basic" });
  const id = await createJob({ schedule: { zone: "UTC", cron: "0 * * * *" } });
  const { status, body } = await call("PATCH", `/api/jobs/${id}`, {
    schedule: { zone: "UTC", cron: "*/30 * * * *" },
  });
  expect([status, body.code, body.field]).toEqual([403, "PLAN_LIMIT_REACHED", "schedule.cron"]);
  expect(body.message).toBe(
    "The Basic plan allows checks every 60 minutes at most, this line asks for two within 30. The Professional plan allows checks every 20 minutes.",
  );
});

test("a clone has every setting, its secrets too, and a name of its own", async () => {
  const person = await world.person();
  const id = await person.createJob({
    name: "Lamp",
    headers: [{ name: "X-Key", value: "secret" }],
    ...priced,
    alertIf: { match: "all", ...number("up") },
    schedule: { zone: "UTC", cron: "0 9 * * *" },
    tellFailures: { down: 1, gone: 3 },
    request: { method: "POST", body: "q=lamps", userAgent: "Prices/1.0" },
    channels: ["email"],
    ignore: [".ad"],
    selector: "#price",
    lookup: { strings: ["sold out"], when: "appears" },
    waitFor: { seconds: 2 },
    ...hook({ headers: [{ name: "X-Hook", value: "hidden" }] }),
  });
  const first = await person.call("GET", `/api/jobs/${id}`);
  const clones = [];
  for (let i = 0; i < 2; i++) clones.push((await person.call("POST", `/api/jobs/${id}/clone`)).body.job);
  expect(clones).toMatchObject([{ name: "Lamp copy" }, { name: "Lamp copy 2" }]);
  const copy = clones[0] as unknown as { id: string };
  await person.execution(copy.id, 1);
  expect(world.site.requests.at(-1)).toMatchObject({
    headers: [["X-Key", "secret"]],
    ask: { body: "q=lamps" },
  });
  const own = ["id", "name", "createdAt", "executions", "executionsTotal", "activity", "nextRunAt"];
  const settings = Object.fromEntries(Object.entries(first.body).filter(([name]) => !own.includes(name)));
  expect((await person.call("GET", `/api/jobs/${copy.id}`)).body).toMatchObject(settings);
  expect((await (await world.person()).call("POST", `/api/jobs/${id}/clone`)).status).toBe(404);
});

test("every setting of a job has its row", () => {
  expect(Object.keys(rows).sort()).toEqual(settingsIn(z.toJSONSchema(NewJob, { io: "input" })).sort());
});

const all = Object.entries(rows).flatMap(([setting, shown]) =>
  shown.map(([what, show]): [string, string, Row[1]] => [setting, what, show]),
);

test.for(all)("%s: %s", async ([, , show]) => {
  expect.hasAssertions();
  await show(await world.person());
});
