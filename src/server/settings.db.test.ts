import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { html, story } from "#checks/testing/page.ts";
import { NewJob } from "#contract/job.ts";
import type { SettingValues } from "#contract/job-settings.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { serve } from "#network/testing/local-site.ts";
import { enqueueDue } from "#scheduling/enqueue-due.ts";
import { judgeAs, startModelServer } from "#second-opinion/testing/model-server.ts";
import { createBoundary } from "#sites/boundary.ts";
import { createShop } from "#sites/testing/local-shop.ts";

// Tests every setting of a job: it is set through the API, the engine runs a check, and the effect is observed. How a
// page is loaded and waited for is tested with a real browser in engine.browser.test.ts; here only the capture's
// request is observed.

const isLong = process.env.TEST_SIZE === "long";

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

/** Creates a job on the first page and runs its second check on the second page. */
async function watch(person: Person, settings: object, pages: [before: string, after: string]) {
  const id = await person.createJob(settings, pages[0]);
  world.site.page.html = pages[1];
  return { id, found: await person.run(id) };
}

const noChange = { changed: false, error: null, similarity: 100, summary: "No change" };

/** A change of an ignored part appears nowhere; a change of another part is alerted. */
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
    expect(found).toMatchObject(noChange);
    world.site.page.html = shop("64.00", other.replace("12", "3"));
    const changed = await person.run(id);
    expect(changed).toMatchObject({ changed: true, summary: "“Fjell lamp” 59.00 € → 64.00 €" });
    const { body } = await person.call("GET", `/api/jobs/${id}/compare?from=${found.id}&to=${changed.id}`);
    await person.deliveriesOf(id, changed.id);
    const [mail] = await person.alerts();
    const run = await world.eventually(
      "the run",
      async () => (await person.detail(id, changed.id)).triggerRuns[0]?.request,
    );
    for (const content of [JSON.stringify(body), mail?.text, mail?.html, run?.body]) {
      expect(content).toContain("64.00");
      expect(content).not.toMatch(/left|deal@/);
    }
  },
];

/** Only the selected part is compared; a selector without a match fails the check and keeps the baseline. */
const comparing = (selector: string): Row => [
  selector,
  async (person) => {
    const { id, found } = await watch(person, { selector }, [
      shop("59.00", "Only 5 left"),
      shop("59.00", "Sold out"),
    ]);
    expect(found).toMatchObject(noChange);
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

/** Makes a change and returns the trigger's request, or "not fired". */
async function fire(person: Person, settings: object) {
  const { id, found } = await watch(person, settings, [
    shop("59.00", "Only 5 left"),
    shop("64.00", "Only 5 left"),
  ]);
  await person.deliveriesOf(id, found.id);
  return world.eventually("the trigger", async () => {
    const isRefused = (await person.logsOf(id)).some((line) => line.includes("Trigger not fired"));
    return isRefused ? "not fired" : world.hook.received.at(-1);
  });
}

let fired: Awaited<ReturnType<typeof fire>> | undefined;
/** The request of one trigger with every setting, shared by the tests of these settings. */
async function fireOnce(person: Person) {
  const headers = [{ name: "X-Key", value: "k" }];
  fired ??= await fire(person, hook({ body: '{"now": "{{added}}"}', headers }));
  return fired;
}

type Conditions = { match?: "all" | "any"; conditions: object[] };
const followedPrice = { values: [{ name: "price", by: "selector", rule: "#price" }] };

type CaptureSettings = Partial<Pick<SettingValues, "browser" | "waitFor">>;
const captureSettings: CaptureSettings[] = [];
let captured: Promise<unknown> | undefined;
/** The request of one capture with the settings of all rows, which must not contradict each other. */
async function captureOnce(person: Person) {
  const [browser, waitFor] = (["browser", "waitFor"] as const).map((part) =>
    Object.assign({}, ...captureSettings.map((settings) => settings[part])),
  );
  captured ??= person.createJob({ browser, waitFor }).then(() => world.site.requests.at(-1));
  return captured;
}
/** The capture gets the setting; what it does to a real page is tested in capture/opening.browser.test.ts. */
function reachingCapture(settings: CaptureSettings): Row[] {
  captureSettings.push(settings);
  return [
    [
      "is how the page is captured",
      async (person) => expect(await captureOnce(person)).toMatchObject(settings),
    ],
  ];
}

/** A change that is alerted, or suppressed with a reason; its trigger fires only if it is alerted. */
const alerting = (what: string, conditions: Conditions, whyQuiet: string | null, more: object = {}): Row => [
  what,
  async (person) => {
    const settings = { ...followedPrice, ...hook(), alertIf: { match: "all", ...conditions }, ...more };
    const { id, found } = await watch(person, settings, [
      shop("59.00", "Only 5 left"),
      shop("64.00", "Sold out"),
    ]);
    expect(found).toMatchObject({ changed: true, untold: whyQuiet });
    if (whyQuiet === null) {
      await person.deliveriesOf(id, found.id);
      await world.eventually("the trigger", async () => world.hook.received.length > 0);
      return;
    }
    // Notifications are written together with the execution, so none can follow.
    expect(await person.feed()).toEqual([]);
    expect(await person.detail(id, found.id)).toMatchObject({ deliveries: [], triggerRuns: [] });
    expect(await person.logsOf(id)).toContain(`[info] No alert: ${whyQuiet}`);
  },
];

const number = (is: string, amount = 0, percent = false) => ({
  conditions: [{ what: "number", name: "price", is, amount, percent }],
});
const textIs = (is: string, text: string) => ({ conditions: [{ what: "text", is, text }] });

/** Conditions of five kinds that a rise from 59 to 64 with “Sold out” in place of “Only 5 left” meets. */
const metConditions = [
  ...textIs("added", "sold out").conditions,
  ...number("below", 65).conditions,
  { what: "status", is: "2xx" },
  { what: "severity", atLeast: "notice" },
  { what: "reason", kinds: ["script", "text"] },
];
/** The same kinds, none of them met, and why. */
const unmetConditions: [condition: object | undefined, why: string][] = [
  [textIs("removed", "lamp").conditions[0], "“lamp” was not removed"],
  [number("up", 9, true).conditions[0], "price went up by 8.5%, you asked for up by 9%"],
  [{ what: "status", is: "404" }, "status is 200, you asked for 404"],
  [{ what: "severity", atLeast: "critical" }, "it is notice, you asked for critical"],
  [{ what: "reason", kinds: ["script", "form"] }, "it is value, text, you asked for script, form"],
];
const moreConditions = [
  alerting("text not removed", textIs("removed", "lamp"), "“lamp” was not removed"),
  alerting("a number below", number("below", 65), null),
  alerting("status class", { conditions: [{ what: "status", is: "2xx" }] }, null),
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
  alerting("a number up by enough", number("up", 5), null),
  alerting("a number up by too little", number("up", 6), "price went up by 5, you asked for up by 6"),
  alerting("a number up by enough percent", number("up", 8, true), null),
  alerting(
    "a different status",
    { conditions: [{ what: "status", is: "404" }] },
    "status is 200, you asked for 404",
  ),
  alerting("severity", { conditions: [{ what: "severity", atLeast: "notice" }] }, null),
  alerting("kind", { conditions: [{ what: "reason", kinds: ["script", "text"] }] }, null),
];

/** Two checks of a page, and the value that each of them reads. */
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

/** When a job is due next; with `agoMinutes` it is overdue first, as if nothing had run since. */
async function nextRunOf(person: Person, id: string, agoMinutes?: number) {
  if (agoMinutes !== undefined) {
    await sql`update schedules set next_run_at = now() - ${agoMinutes} * interval '1 minute' where job_id = ${id}`.execute(
      world.app.db,
    );
    await enqueueDue(world.app.jobs, 100);
  }
  const { body } = await person.call("GET", `/api/jobs/${id}`);
  return new Date(String(body.nextRunAt));
}

/** A request setting, and what the capture is asked to send because of it. */
const asking = (request: object, ask: object): Row => [
  JSON.stringify(request),
  async (person) => {
    const id = await person.createJob({ request });
    expect(world.site.requests.at(-1)?.ask).toMatchObject(ask);
    expect((await person.call("GET", `/api/jobs/${id}`)).body.request).toMatchObject(request);
  },
];

let askedForBoth: Promise<(typeof world.site.requests)[number] | undefined> | undefined;
/** A header that one of two settings sends; both are tested by one capture. */
const askingForBoth = (header: string, value: string): Row[] => [
  [
    value,
    async (person) => {
      const request = { userAgent: "Prices/1.0", language: "de-DE" };
      askedForBoth ??= person.createJob({ request }).then(() => world.site.requests.at(-1));
      expect((await askedForBoth)?.ask?.headers).toContainEqual([header, value]);
    },
  ],
];

const inHours = (hours: number[]) => Array.from({ length: 7 }, () => hours);

const offerPage = (price: string, availability: string) =>
  html(...story).replace(
    "</head>",
    `<script type="application/ld+json">${JSON.stringify({ "@type": "Offer", price, availability })}</script></head>`,
  );

/** Each way to follow a value by itself, for the long set. */
const eachValue: Row[] = [
  following(
    "a price in JSON-LD, which the page doesn't show",
    { by: "price" },
    [offerPage("59.00", "InStock"), offerPage("64.00", "InStock")],
    [{ number: 59 }, { number: 64 }],
    { changed: true, summary: "it 59.00 → 64.00" },
  ),
  following(
    "a selector",
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
    "a value that goes missing is a change, and it is not zero",
    { by: "selector", rule: "#price" },
    [shop("59.00", "a"), html(...story, "Fjell lamp €", '<span class="ad">a</span>')],
    [{ number: 59 }, { text: null, number: null }],
    { changed: true },
  ),
];

/** Crawls a small shop whose robots.txt keeps robots from one page; returns the pages that it requested. */
async function crawl(person: Person, site: object, path = "/") {
  const shop = createShop({ sections: 1, perSection: 1, traps: [] });
  if ("robots" in site)
    shop.overrides.set("/robots.txt", {
      headers: { "content-type": "text/plain" },
      body: "User-agent: *\nDisallow: /about",
    });
  const reserved: number[] = [];
  shop.hold = async () => void reserved.push(await nextTurnOf(person.accountId));
  const { url } = await serve((request, response) => shop.listen(request, response));
  const id = await person.createJob({ url: url(path), site: { perSecond: 10, ...site } });
  const { body } = await person.call("GET", `/api/jobs/${id}`);
  const pages = shop.requests.filter((request) => !/robots|sitemap/.test(request.path));
  return {
    id,
    site: body.site as unknown as SiteSettings,
    requested: pages.map((request) => request.path),
    reserved,
  };
}

let crawled: ReturnType<typeof crawl> | undefined;
/** One crawl with several settings, shared by their tests. */
const crawlOnce = (person: Person) =>
  (crawled ??= crawl(person, { subdomains: true, exclude: ["/about", "/*/item/"] }));

/** When the account may next request the shop, in milliseconds. */
async function nextTurnOf(accountId: string): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from next_at) * 1000)::float8 as at from site_paces
    where account_id = ${accountId}`.execute(world.app.db);
  return rows[0]?.at ?? Number.NaN;
}

const rows: Record<string, Row[]> = {
  note: [
    [
      "is shown with the job, can be emptied, and is in no alert",
      async (person) => {
        const note = "For Ana’s birthday";
        const { id, found } = await watch(person, { note: `  ${note} ` }, [shop("1", ""), shop("2", "")]);
        const shown = async () => (await person.call("GET", `/api/jobs/${id}`)).body.note;
        expect(await shown()).toBe(note);
        await person.deliveriesOf(id, found.id);
        expect(JSON.stringify(await person.alerts())).not.toContain("birthday");
        await person.call("PATCH", `/api/jobs/${id}`, { name: "Other" });
        expect(await shown()).toBe(note);
        await person.call("PATCH", `/api/jobs/${id}`, { note: " " });
        expect(await shown()).toBeNull();
      },
    ],
  ],
  tags: [
    [
      "are listed with the job once each, and are in no alert",
      async (person) => {
        const tags = [" Shops ", "client A", "shops"];
        const { id, found } = await watch(person, { tags }, [shop("1", ""), shop("2", "Lamps are back")]);
        await person.deliveriesOf(id, found.id);
        expect(JSON.stringify(await person.alerts())).not.toContain("client A");
        const list = async () => (await person.call("GET", "/api/jobs?lastChange=true")).body.jobs;
        expect(await list()).toMatchObject([
          {
            id,
            tags: ["shops", "client A"],
            failing: false,
            error: null,
            lastChange: { executionId: found.id, text: expect.stringContaining("Lamps are back") },
          },
        ]);
        await person.call("PATCH", `/api/jobs/${id}`, { tags: [] });
        expect(await list()).toMatchObject([{ tags: [] }]);
      },
    ],
  ],
  "site.subdomains": [
    [
      "makes the subdomains of the host part of the site",
      async (person) => {
        const { site } = await crawlOnce(person);
        const { hasHost } = createBoundary("https://shop.example/", site);
        expect(["https://blog.shop.example/", "https://notshop.example/"].map(hasHost)).toEqual([
          true,
          false,
        ]);
      },
    ],
  ],
  "site.paths": [
    [
      "keeps the crawl below these paths",
      async (person) => {
        const { requested } = await crawl(person, { paths: ["/section-0/"] }, "/section-0/");
        expect(requested).toEqual(["/section-0/", "/section-0/item/0"]);
      },
    ],
  ],
  "site.exclude": [
    [
      "keeps the crawl away from these paths",
      async (person) => {
        const { requested } = await crawlOnce(person);
        expect(requested).toEqual(["/", "/section-0/"]);
      },
    ],
  ],
  "site.maxPages": [
    [
      "ends a run after so many pages",
      async (person) => {
        const { requested } = await crawl(person, { maxPages: 2 });
        expect(requested).toEqual(["/", "/about"]);
      },
    ],
  ],
  "site.perSecond": [
    [
      "leaves so much time between two requests",
      async (person) => {
        const { reserved } = await crawl(person, { perSecond: 5 });
        expect(reserved).toHaveLength(6);
        const gaps = reserved.slice(1).map((turn, i) => turn - (reserved[i] ?? 0));
        // A turn is taken up to a millisecond early.
        for (const gap of gaps) expect(gap).toBeGreaterThan(198);
      },
    ],
  ],
  "site.scope": [
    [
      "adds the hosts that a capture of it has in scope; without one, the check fails with a sentence",
      async (person) => {
        const scope = await person.createJob({}, html("*.shop.example", "pay.other.example"));
        const { requested, id: crawledId } = await crawl(person, { scope });
        expect(requested).toContain("/about");
        const listed = await person.call("GET", `/api/jobs/${crawledId}/site/pages?source=scope`);
        // The shop of the test isn't at the usual port, at which the hosts of the list are.
        expect(listed.body).toMatchObject({ total: 0 });
        const other = await (await world.person()).createJob();
        const { url } = await serve((_, response) => response.end());
        const id = await person.createJob({ url: url("/"), site: { scope: other } });
        expect(await person.executionsOf(id)).toMatchObject([
          { error: "The scope list can’t be read: its job doesn’t exist, or has no capture yet." },
        ]);
      },
    ],
  ],
  "site.robots": [
    [
      "is whether robots.txt is obeyed",
      async (person) => {
        const { requested } = await crawl(person, { robots: false });
        expect(requested).toContain("/about");
        expect((await crawl(person, { robots: true })).requested).not.toContain("/about");
      },
    ],
  ],
  name: [
    [
      "is in the alert's subject",
      async (person) => {
        const { id, found } = await watch(person, { name: "Lamps" }, [shop("1", ""), shop("2", "")]);
        await person.deliveriesOf(id, found.id);
        expect((await person.alerts())[0]?.subject).toMatch(/^Lamps: /);
      },
    ],
  ],
  url: [
    [
      "is captured, and a changed URL starts with a new first capture",
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
      "determines when the next check is due",
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
      "is the group in which the job is listed",
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
      "determines when the next check is due, and the one after it",
      async (person) => {
        const id = await person.createJob({ schedule: { zone: "UTC", cron: "30 9 * * *" } });
        const isDue = (due: Date) => due.getUTCHours() === 9 && due.getUTCMinutes() >= 30 && due > new Date();
        const first = await nextRunOf(person, id);
        expect(isDue(first) && first.getUTCMinutes() < 36).toBe(true);
        const second = await nextRunOf(person, id, 0);
        await person.execution(id, 2);
        expect(isDue(second)).toBe(true);
        // Also if it was due days ago: missed checks are made up for by one check and logged.
        expect(isDue(await nextRunOf(person, id, 3 * 1440))).toBe(true);
        await person.execution(id, 3);
        expect(await person.logsOf(id)).toContainEqual(expect.stringMatching(/checks? (was|were) missed/));
      },
    ],
    [
      "every hour runs every hour on a plan with a minimum of an hour, although claims come a moment late",
      async () => {
        const person = await world.person({ plan: "basic" });
        const hourly = (minute: number) => ({ schedule: { zone: "UTC", cron: `${minute} * * * *` } });
        const id = await person.createJob(hourly(0));
        const jitter = (await nextRunOf(person, id)).getTime() % 3_600_000;
        const minute = Math.floor((Date.now() - jitter) / 60_000);
        await person.call("PATCH", `/api/jobs/${id}`, hourly(minute % 60));
        const due = new Date(minute * 60_000 + jitter);
        await sql`update schedules set next_run_at = ${due} where job_id = ${id}`.execute(world.app.db);
        await enqueueDue(world.app.jobs, 100);
        expect((await nextRunOf(person, id)).getTime() - due.getTime()).toBe(3_600_000);
      },
    ],
    [
      "can be removed",
      async (person) => {
        const id = await person.createJob({ frequency: 30, schedule: { zone: "UTC", cron: "30 9 1 1 *" } });
        await person.call("PATCH", `/api/jobs/${id}`, { schedule: null });
        expect((await nextRunOf(person, id)).getTime()).toBeLessThan(Date.now() + 40 * 60_000);
      },
    ],
  ],
  "schedule.week": [
    [
      "limits checks to its hours",
      async (person) => {
        const far = (new Date().getUTCHours() + 6) % 24;
        const schedule = { zone: "UTC", week: inHours([far]) };
        const id = await person.createJob({ frequency: 30, schedule });
        expect((await nextRunOf(person, id)).getUTCHours()).toBe(far);
        // It was due while nothing ran, and its hours are over now.
        expect((await nextRunOf(person, id, 600)).getUTCHours()).toBe(far);
        expect(await person.executionsOf(id)).toHaveLength(1);
        expect(await person.logsOf(id)).toContainEqual(expect.stringContaining("missed"));
        await person.call("PATCH", `/api/jobs/${id}`, {
          schedule: { zone: "UTC", week: inHours(Array.from({ length: 24 }, (_, hour) => hour)) },
        });
        const next = await nextRunOf(person, id, 0);
        await person.execution(id, 2);
        expect(next.getTime() - Date.now()).toBeGreaterThan(29 * 60_000);
        expect(next.getTime() - Date.now()).toBeLessThan(40 * 60_000);
      },
    ],
    [
      "once a day at an hour that has passed today runs tomorrow, and a check by hand doesn't move the plan",
      async (person) => {
        const passed = (new Date().getUTCHours() + 22) % 24;
        const schedule = { zone: "UTC", week: inHours([passed]) };
        const id = await person.createJob({ frequency: 1440, schedule });
        const planned = await nextRunOf(person, id);
        expect(planned.getUTCHours()).toBe(passed);
        expect(planned.getTime() - Date.now()).toBeLessThan(24 * 3_600_000);
        const runs = async (input: object) =>
          (await person.call("POST", "/api/previews/runs", input)).body.runs as unknown as string[];
        const days = (all: string[]) =>
          all.slice(1).map((run, i) => Date.parse(run) - Date.parse(all[i] ?? ""));
        const previewed = await runs({ jobId: id, count: 3 });
        expect(previewed[0]).toBe(planned.toISOString());
        expect(days(previewed)).toEqual([86_400_000, 86_400_000]);
        await person.run(id);
        expect(await nextRunOf(person, id)).toEqual(planned);
        expect(await runs({ jobId: id, count: 3 })).toEqual(previewed);
        const unsaved = await runs({ frequency: 2880, schedule, count: 2 });
        expect(new Date(unsaved[0] ?? "").getUTCHours()).toBe(passed);
        expect(days(unsaved)).toEqual([2 * 86_400_000]);
        const atMidnight = { frequency: 1440, schedule: { zone: "UTC", week: inHours([0]) } };
        const midnight = await person.createJob(atMidnight);
        // In the hour after midnight, the first run may come later in it than the others.
        expect(days(await runs({ jobId: midnight, count: 4 })).slice(1)).toEqual([86_400_000, 86_400_000]);
      },
    ],
  ],
  "schedule.zone": [
    [
      "is the time zone of the cron line",
      async (person) => {
        const id = await person.createJob({ schedule: { zone: "Asia/Kolkata", cron: "30 9 * * *" } });
        const due = await nextRunOf(person, id);
        expect([due.getUTCHours(), due.getUTCMinutes() < 6]).toEqual([4, true]);
      },
    ],
  ],
  channels: [
    [
      "get the alerts, or all channels do if none of these is set up",
      async () => {
        const person = await world.person({ discord: true });
        const { id, found } = await watch(person, { channels: ["discord"] }, [shop("1", ""), shop("2", "")]);
        expect(await person.deliveriesOf(id, found.id)).toMatchObject([
          { channel: "discord", state: "sent" },
        ]);
        expect(await person.alerts()).toEqual([]);
        await person.call("PATCH", `/api/jobs/${id}`, { channels: ["telegram"] });
        world.site.page.html = shop("3", "");
        const third = await person.run(id);
        // No chat is linked, so all channels of the account get the alert.
        expect((await person.deliveriesOf(id, third.id)).map(({ channel }) => channel).sort()).toEqual([
          "discord",
          "email",
        ]);
      },
    ],
  ],
  "message.title": [
    [
      "is the alert's subject",
      async (person) => {
        const pages: [string, string] = [html("One", "Two", "Three"), html("One", "Two", "Four")];
        const { id, found } = await watch(
          person,
          { message: { title: "{{job.group}} changed", text: "{{added}}" } },
          pages,
        );
        await person.deliveriesOf(id, found.id);
        const [mail] = await person.alerts();
        expect(mail?.subject).toBe("Group changed");
      },
    ],
  ],
  "message.text": [
    [
      "is the alert's text, with what is compared before and after, and replaces the channel's",
      async (person) => {
        await person.call("PUT", "/api/me/channels/email/template", { title: "", text: "of the channel" });
        const message = {
          title: "{{job.group}}: {{old.price}} to {{value.price}}",
          text: "{{diff.full}}\n{{patch}}\n{{snapshot}}\n{{base}} {{condition}}",
        };
        const pages = [59, 64].map((euros) =>
          html("One", "Two", "Three", "Four", `Now <b id="price">${euros}.00</b> €`, "Six"),
        ) as [string, string];
        const settings = { message, values: [{ name: "price", by: "selector", rule: "#price" }] };
        const { id, found } = await watch(
          person,
          { ...settings, alertIf: { match: "all", ...number("up") } },
          pages,
        );
        await person.deliveriesOf(id, found.id);
        const [mail] = await person.alerts();
        expect(mail?.subject).toBe("Group: 59 to 64");
        const [diff, patch, snapshot] = [
          "  Four\n- Now 59.00 €\n+ Now 64.00 €\n  Six\n",
          "@@ -2,5 +2,5 @@\n Two\n Three\n Four\n-Now 59.00 €\n+Now 64.00 €\n Six\n",
          "One\nTwo\nThree\nFour\nNow 64.00 €\nSix\n",
        ];
        expect(mail?.text.replaceAll("\r\n", "\n")).toContain(
          `  One\n  Two\n  Three\n${diff}${patch}${snapshot}`,
        );
        expect(mail?.text).toMatch(/http:\/\/localhost:\d+ price up/);
        expect(mail?.text).not.toContain("of the channel");
        const preview = await person.call("POST", "/api/me/channels/email/template/preview", {
          text: "{{value.price}} €",
          jobId: id,
        });
        expect(preview.body).toMatchObject({
          of: { job: "Job 1" },
          lines: [[{ text: "64" }, { text: " €" }]],
        });
        const other = await person.createJob();
        const none = await person.call("POST", "/api/me/channels/email/template/preview", { jobId: other });
        expect(none.body).toMatchObject({ of: null, title: "Test alert" });
      },
    ],
  ],
  "request.method": [
    asking({ method: "HEAD" }, { method: "HEAD" }),
    ...(isLong ? [asking({ method: "DELETE" }, { method: "DELETE" })] : []),
  ],
  "request.body": [
    asking(
      { method: "POST", body: "q=lamps" },
      { method: "POST", body: "q=lamps", contentType: "application/x-www-form-urlencoded" },
    ),
    [
      "can contain the date, like the URL",
      async (person) => {
        const request = { method: "POST", body: "day={{date:yyyy-MM-dd}}" };
        const page = "http://127.0.0.1:8080/{{date:yyyy, -1 year}}/x";
        await person.createJob({ url: page, request });
        const { url, ask } = world.site.requests.at(-1) ?? {};
        expect(url).toBe(`http://127.0.0.1:8080/${new Date().getUTCFullYear() - 1}/x`);
        expect(ask?.body).toMatch(/^day=\d{4}-\d\d-\d\d$/);
      },
    ],
  ],
  "request.as": [
    asking({ method: "PUT", body: "{}", as: "json" }, { method: "PUT", contentType: "application/json" }),
  ],
  "request.userAgent": askingForBoth("user-agent", "Prices/1.0"),
  "request.language": askingForBoth("accept-language", "de-DE"),
  "tellFailures.down": [
    [
      "alerts the first failure at once, only once, and the recovery",
      async (person) => {
        const id = await person.createJob({ tellFailures: { down: 1, gone: 10 } });
        world.site.page.failure = { kind: "refused", message: "Nobody answers there." };
        const failed = await person.run(id);
        await person.run(id);
        world.site.page.failure = null;
        const back = await person.run(id);
        await person.deliveriesOf(id, back.id);
        expect(await person.detail(id, failed.id)).toMatchObject({ deliveries: [{ state: "sent" }] });
        expect(
          (await person.alerts()).map(
            ({ text }) => /Check failed: Nobody answers|is reachable again/.exec(text)?.[0],
          ),
        ).toEqual(["Check failed: Nobody answers", "is reachable again"]);
      },
    ],
    [
      "alerts after three failures",
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
    [
      "after three failures counts error pages, too: a single 502 gives no alert, and meets no condition",
      async (person) => {
        const conditions = [{ what: "text", is: "removed", text: "sold out" }];
        const settings = {
          tellFailures: { down: 3, gone: 3 },
          alertIf: { match: "any", conditions },
          values: [{ name: "it", by: "availability" }],
        };
        const sold = offerPage("59.00", "SoldOut").replace("<main>", "<main><p>Sold out</p>");
        const id = await person.createJob(settings, sold);
        const kinds = async () => (await person.feed()).map(({ kind }) => kind);
        const broken = html("Something broke.").replace(
          "</head>",
          `${offerPage("1", "InStock").match(/<script.*<\/script>/)?.[0]}</head>`,
        );
        Object.assign(world.site.page, { status: 502, html: broken });
        expect(await person.run(id)).toMatchObject({ changed: false, values: null });
        Object.assign(world.site.page, { status: 200, html: sold });
        expect(await person.run(id)).toMatchObject({ changed: false, error: null });
        expect((await kinds()).filter((kind) => kind !== "recovered")).toEqual([]);
        expect(await person.alerts()).toEqual([]);
        Object.assign(world.site.page, { status: 502, html: broken });
        for (let i = 0; i < 3; i++) await person.run(id);
        Object.assign(world.site.page, { status: 200, html: sold });
        const back = await person.run(id);
        await person.deliveriesOf(id, back.id);
        expect(await kinds()).toEqual(["recovered", "failing", "recovered"]);
        expect(await person.alerts()).toHaveLength(2);
      },
    ],
  ],
  "tellFailures.gone": [
    [
      "counts separately from a site that is down",
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
            message: "The watched part is missing: Nothing on the page matches the selector #price",
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
  "waitFor.selector": reachingCapture({ waitFor: { selector: ".prices" } }),
  "waitFor.text": reachingCapture({ waitFor: { text: "in stock" } }),
  "waitFor.quiet": reachingCapture({ waitFor: { quiet: true } }),
  "waitFor.seconds": reachingCapture({ waitFor: { seconds: 3 } }),
  "browser.device": [
    [
      "another device makes a new baseline with a note, not an alert; the next change is alerted",
      async (person) => {
        const { id, found } = await watch(person, {}, [
          shop("59.00", "Only 5 left"),
          shop("59.00", "Only 5 left"),
        ]);
        expect(found).toMatchObject(noChange);
        await person.call("PATCH", `/api/jobs/${id}`, { browser: { device: "phone" } });
        world.site.page.html = shop("64.00", "For your phone");
        expect(await person.run(id)).toMatchObject({
          changed: false,
          similarity: null,
          summary: "The browser settings changed: this capture is the new baseline",
        });
        expect(world.site.requests.at(-1)?.browser).toEqual({ device: "phone" });
        expect(await person.feed()).toEqual([]);
        world.site.page.html = shop("49.00", "For your phone");
        expect(await person.run(id)).toMatchObject({
          changed: true,
          summary: "“Fjell lamp” 64.00 € → 49.00 €",
        });
      },
    ],
  ],
  "browser.colorScheme": reachingCapture({ browser: { colorScheme: "dark" } }),
  "browser.motion": reachingCapture({ browser: { motion: "full" } }),
  "browser.language": reachingCapture({ browser: { language: "de-DE" } }),
  "browser.timeZone": reachingCapture({ browser: { timeZone: "Asia/Tokyo" } }),
  "browser.consent": [
    ...reachingCapture({ browser: { consent: "accept" } }),
    [
      "new rules that answer a banner in another way make a new baseline with a note",
      async (person) => {
        world.site.page.opening = { consentRules: "1.0.0" };
        const { id, found } = await watch(person, {}, [
          shop("59.00", "We use cookies"),
          shop("59.00", "We use cookies"),
        ]);
        expect(found).toMatchObject(noChange);
        const consent = { rule: "own", action: "reject", result: "done" } as const;
        world.site.page.opening = { consentRules: "1.1.0", consent };
        world.site.page.html = shop("59.00", "");
        expect(await person.run(id)).toMatchObject({
          changed: false,
          summary: expect.stringContaining("rules for consent banners were updated"),
        });
        world.site.page.opening = { consentRules: "1.1.0" };
        world.site.page.html = shop("59.00", "Sold out");
        expect(await person.run(id)).toMatchObject({ changed: true });
      },
    ],
    [
      "a banner that is left and selected is what is watched; beside a page it is noise",
      async (person) => {
        const banner = (...buttons: string[]) =>
          `<div id="onetrust-banner-sdk" role="dialog"><p>We use cookies.</p>${buttons.map((each) => `<button>${each}</button>`).join("")}</div>`;
        const [both, one] = [banner("Reject all", "Accept all"), banner("Accept all")].map((each) =>
          html(...story).replace("</main>", `</main>${each}`),
        );
        const browser = { consent: "leave" };
        const selected = { browser, selector: "#onetrust-banner-sdk" };
        expect((await watch(person, selected, [both ?? "", one ?? ""])).found).toMatchObject({
          changed: true,
          summary: "“Reject all” removed",
        });
        expect((await watch(person, { browser }, [both ?? "", one ?? ""])).found).toMatchObject({
          changed: false,
        });
      },
    ],
  ],
  "browser.block": reachingCapture({ browser: { block: ["images"] } }),
  pageSteps: [
    [
      "are done before each capture, with their secrets; the rest is tested in routes/page-steps.browser.test.ts",
      async (person) => {
        const steps = [{ type: "change", selectors: [["#code"]], value: "{{secret.code}}" }];
        await person.createJob({ pageSteps: steps, stepSecrets: [{ name: "code", value: "hunter3" }] });
        expect(world.site.requests.at(-1)?.pageSteps).toMatchObject({
          steps,
          secrets: new Map([["code", "hunter3"]]),
        });
      },
    ],
  ],
  identity: [
    [
      "is who the page is captured as; the rest is tested in routes/identities.browser.test.ts",
      async (person) => {
        const url = "http://127.0.0.1:8080/";
        const { body } = await person.call("POST", "/api/identities", {
          name: "Ana",
          url,
          cookies: "session=8f14e45fceea167a",
          proof: { text: "Sign out" },
        });
        const { id } = body.identity as unknown as { id: string };
        await person.createJob({ url, identity: id });
        expect(world.site.requests.at(-1)?.session).toMatchObject({
          identityId: id,
          proof: { text: "Sign out" },
          jar: { cookies: [{ name: "session", value: "8f14e45fceea167a", domain: "127.0.0.1" }] },
        });
      },
    ],
  ],
  sharesSignedIn: [
    [
      "lets a link show what is behind a sign-in; the rest is tested in routes/identities.browser.test.ts",
      async (person) => {
        const id = await person.createJob({ sharesSignedIn: true });
        await world.app.db.updateTable("jobs").set({ signed_in: true }).where("id", "=", id).execute();
        const first = await person.execution(id, 1);
        const share = () => person.call("POST", `/api/jobs/${id}/share`, { executionId: first.id });
        const { body } = await share();
        expect((await person.call("GET", `/api/share/${body.token}`)).status).toBe(200);
        await person.call("PATCH", `/api/jobs/${id}`, { sharesSignedIn: false });
        expect((await person.call("GET", `/api/share/${body.token}`)).status).toBe(404);
        expect((await share()).body).toMatchObject({ code: "CONFLICT" });
      },
    ],
  ],
  stepSecrets: [
    [
      "are masked, and keep their values when they are sent back",
      async (person) => {
        const steps = [{ type: "click", selectors: [["#a"]] }];
        const id = await person.createJob({
          pageSteps: steps,
          stepSecrets: [{ name: "code", value: "hunter3" }],
        });
        const { body } = await person.call("GET", `/api/jobs/${id}`);
        expect(JSON.stringify(body)).not.toContain("hunter3");
        await person.call("PATCH", `/api/jobs/${id}`, { stepSecrets: body.stepSecrets });
        await person.run(id);
        const secrets = world.site.requests.at(-1)?.pageSteps?.secrets;
        expect(secrets).toEqual(new Map([["code", "hunter3"]]));
      },
    ],
    [
      "are made of what is typed into password fields",
      async (person) => {
        const id = await person.createJob({
          pageSteps: [{ type: "change", selectors: [["aria/Password"]], value: "hunter4" }],
        });
        const { body } = await person.call("GET", `/api/jobs/${id}`);
        expect(body).toMatchObject({
          pageSteps: [{ value: "{{secret.password}}" }],
          stepSecrets: [{ name: "password", value: "••••••••" }],
        });
        expect(world.site.requests.at(-1)?.pageSteps?.secrets).toEqual(new Map([["password", "hunter4"]]));
      },
    ],
  ],
  "browser.scroll": reachingCapture({ browser: { scroll: true } }),
  proxies: [
    [
      "are the ways of each capture; the rest is tested in routes/proxies.db.test.ts",
      async (person) => {
        const proxy = { name: "Berlin", protocol: "http", host: "127.0.0.1", port: 8080 };
        const { body } = await person.call("POST", "/api/proxies", proxy);
        const { id } = body.proxy as unknown as { id: string };
        await person.createJob({ proxies: [id, "direct"] });
        expect(world.site.requests.at(-2)?.proxies).toMatchObject([{ id, name: "Berlin" }, { id: "direct" }]);
      },
    ],
  ],
  "secondOpinion.use": [
    [
      "lower: an unimportant change goes to the digest; the rest is tested in routes/second-opinion.db.test.ts",
      async (person) => {
        const model = await startModelServer();
        try {
          model.state.reply = judgeAs("noise");
          await person.call("PUT", "/api/second-opinion", { url: model.url, model: "m", isOn: true });
          const { id, found } = await watch(person, { secondOpinion: { use: "lower" } }, [
            shop("59.00", "Only 5 left"),
            shop("59.00", "Sold out"),
          ]);
          const opinion = await world.eventually("the opinion", async () => {
            const { body } = await person.call("GET", `/api/jobs/${id}/executions/${found.id}`);
            return body.opinion as unknown as { lowered: boolean } | null;
          });
          expect(opinion.lowered).toBe(true);
        } finally {
          await model.close();
        }
      },
    ],
  ],
  "secondOpinion.matters": [
    [
      "is what the model reads",
      async (person) => {
        const model = await startModelServer();
        try {
          await person.call("PUT", "/api/second-opinion", { url: model.url, model: "m", isOn: true });
          const wanted = { use: "summary", matters: "Whether lamps are sold out" };
          await watch(person, { secondOpinion: wanted }, [
            shop("59.00", "Only 5 left"),
            shop("59.00", "Sold out"),
          ]);
          const asked = await world.eventually("the question", async () => model.asked[0]);
          expect(asked.body.messages[1]?.content).toContain("Whether lamps are sold out");
        } finally {
          await model.close();
        }
      },
    ],
  ],
  selector: [
    comparing("#price"),
    ...(isLong ? [comparing("xpath://b[@id='price']")] : []),
    [
      "jsonpath:$.items[*].price",
      async (person) => {
        const file = (price: number, views: number) => JSON.stringify({ views, items: [{ price, views }] });
        world.site.page.kind = "json";
        const settings = { selector: "jsonpath:$.items[*].price" };
        const { id, found } = await watch(person, settings, [file(59, 1), file(59, 2)]);
        expect(found).toMatchObject(noChange);
        world.site.page.html = file(64, 3);
        expect(await person.run(id)).toMatchObject({ changed: true, summary: "items[0].price: 59 → 64" });
        world.site.page.html = "{}";
        const error = "Nothing in the JSON matches the selector jsonpath:$.items[*].price";
        expect(await person.run(id)).toMatchObject({ error });
      },
    ],
    [
      "a changed selector needs no new baseline",
      async (person) => {
        const { id, found } = await watch(person, {}, [shop("59.00", "a"), shop("59.00", "a")]);
        expect(found).toMatchObject(noChange);
        await person.call("PATCH", `/api/jobs/${id}`, { selector: "#price" });
        world.site.page.html = shop("64.00", "b");
        expect(await person.run(id)).toMatchObject({ changed: true, summary: "“59.00” → “64.00”" });
      },
    ],
  ],
  awaited: [
    [
      "a part that is missing at first is alerted when it appears",
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
    ignoring("/Only \\d+ LEFT.*/i"),
    // How each language selects is tested in apply-rules.test.ts.
    ...(isLong ? [ignoring("xpath://*[@class='ad']"), ignoring("left")] : []),
    [
      "a rule that is added later applies at once",
      async (person) => {
        const { id, found } = await watch(person, {}, [
          shop("59.00", "Only 5 left"),
          shop("59.00", "Only 5 left"),
        ]);
        expect(found).toMatchObject(noChange);
        await person.call("PATCH", `/api/jobs/${id}`, { ignore: [".ad"] });
        world.site.page.html = shop("59.00", "Sold out");
        expect(await person.run(id)).toMatchObject(noChange);
      },
    ],
    [
      "JSON values and patterns",
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
  steps: [
    [
      "leave lines out before they are compared, also where the group hands them down",
      async (person) => {
        const steps = [
          { do: "keep", text: "lamp" },
          { do: "capture", text: "/(\\d+)\\.\\d+ €/" },
        ];
        const { id, found } = await watch(person, { steps }, [
          shop("59.10", "Only 5 left"),
          shop("59.80", "Sold out"),
        ]);
        expect(found).toMatchObject({ changed: false, error: null, summary: "No change" });
        world.site.page.html = shop("64.00", "Sold out");
        expect(await person.run(id)).toMatchObject({ changed: true, summary: "“59” → “64”" });
        await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, { steps });
        const inherited = await watch(person, {}, [shop("59.10", "a"), shop("59.80", "b")]);
        expect(inherited.found).toMatchObject({ changed: false, error: null });
      },
    ],
    [
      "are tried on the newest capture, step by step",
      async (person) => {
        const id = await person.createJob({}, shop("59.10", "Only 5 left"));
        const steps = [
          { do: "keep", text: "lamp" },
          { do: "capture", text: "/(/" },
          { do: "capture", text: "/\\d+/" },
        ];
        const { body } = await person.call("POST", `/api/jobs/${id}/rules/cover`, { steps });
        expect(body.steps).toMatchObject([
          { count: expect.any(Number) },
          { count: 1, lines: [expect.stringContaining("59.10")] },
          { problem: expect.stringContaining("This is not a pattern") },
          { count: 2, lines: ["59", "10"] },
        ]);
      },
    ],
  ],
  compareAs: [
    [
      "the source is compared as the server sent it",
      async (person) => {
        const pages: [string, string] = [
          shop("59.00", "<!-- build 1 -->Only"),
          shop("59.00", "<!-- build 2 -->Only"),
        ];
        expect((await watch(person, {}, pages)).found).toMatchObject({ changed: false });
        const { found } = await watch(person, { compareAs: "source" }, pages);
        expect(found).toMatchObject({ changed: true, summary: expect.stringMatching(/build.* 1 → 2/) });
      },
    ],
  ],
  joinsSelector: [
    [
      "compares the group's selection as well as the job's own",
      async (person) => {
        await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, { selector: "#price" });
        const pages: [string, string] = [shop("59.00", "a"), shop("64.00", "a")];
        expect((await watch(person, { selector: ".ad" }, pages)).found).toMatchObject(noChange);
        const both = await watch(person, { selector: ".ad", joinsSelector: true }, pages);
        expect(both.found).toMatchObject({ changed: true, summary: "“59.00” → “64.00”" });
      },
    ],
  ],
  "notInherited.selector": [
    [
      "leaves the group's selector out, so that the whole page is compared again",
      async (person) => {
        await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, { selector: "#price" });
        const pages: [string, string] = [shop("59.00", "Only 5 left"), shop("59.00", "Sold out")];
        const { id, found } = await watch(person, {}, pages);
        expect(found).toMatchObject(noChange);
        await person.call("PATCH", `/api/jobs/${id}`, { notInherited: { selector: true } });
        world.site.page.html = shop("59.00", "Back in March");
        expect(await person.run(id)).toMatchObject({ changed: true });
        const { body } = await person.call("GET", `/api/jobs/${id}`);
        expect(body).toMatchObject({ selector: null, inherited: { selector: "#price" } });
      },
    ],
  ],
  "notInherited.ignore": [
    [
      "leaves a single ignore rule of the group out",
      async (person) => {
        const ignore = [".ad", "#price"];
        await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, { ignore });
        const settings = { notInherited: { ignore: [".ad"] } };
        const { id, found } = await watch(person, settings, [shop("59.00", "a"), shop("64.00", "a")]);
        expect(found).toMatchObject(noChange);
        world.site.page.html = shop("64.00", "Sold out");
        expect(await person.run(id)).toMatchObject({ changed: true });
      },
    ],
  ],
  "lookup.strings": [
    [
      "are alerted whatever the conditions are",
      async (person) => {
        const alertIf = { match: "all", conditions: [{ what: "status", is: "404" }] };
        const pages: [string, string] = [shop("59.00", "Only 5 left"), shop("59.00", "Sold out")];
        const { id, found } = await watch(person, { ...appears(["sold out"]), alertIf }, pages);
        expect(found).toMatchObject({ changed: true, untold: null });
        await person.deliveriesOf(id, found.id);
        expect((await person.alerts())[0]?.text).toContain('"sold out" appeared in the visible text');
        world.site.page.html = shop("64.00", "Sold out");
        expect(await person.run(id)).toMatchObject({ untold: "status is 200, you asked for 404" });
      },
    ],
    [
      "are found as words and as patterns",
      async (person) => {
        const pages: [string, string] = [shop("59.00", "Only 5 left"), shop("59.00", "Sold out since 3 May")];
        const { found } = await watch(person, appears(["nothing", "/sold out since \\d/i"]), pages);
        expect(found.summary).toContain('"/sold out since \\d/i" appeared in the visible text');
      },
    ],
    [
      "are not found in ignored parts",
      async (person) => {
        const pages: [string, string] = [shop("59.00", "Only 5 left"), shop("59.00", "Sold out")];
        const { found } = await watch(person, { ...appears(["sold out"]), ignore: [".ad"] }, pages);
        expect(found).toMatchObject(noChange);
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
    alerting("five kinds at once, and all are met", { conditions: metConditions }, null),
    alerting(
      "five kinds at once, and none is met",
      { match: "any", conditions: unmetConditions.map(([condition]) => condition ?? {}) },
      unmetConditions.map(([, why]) => why).join("; "),
    ),
    alerting("text added only in an ignored part", textIs("added", "sold out"), "“sold out” was not added", {
      ignore: [".ad"],
    }),
    [
      "a number that falls in small steps is compared with the last alert, and the alert names the condition",
      async (person) => {
        const alertIf = { match: "all", ...number("down", 10, true) };
        const id = await person.createJob({ ...followedPrice, alertIf }, shop("100", ""));
        const runs = [];
        for (const price of ["95", "90", "85", "80"]) {
          world.site.page.html = shop(price, "");
          runs.push(await person.run(id));
        }
        expect(runs.map(({ untold }) => untold === null)).toEqual([false, true, false, true]);
        await person.deliveriesOf(id, runs[3]?.id ?? "");
        const texts = (await person.alerts()).map(({ text }) => text);
        expect(texts).toHaveLength(2);
        for (const text of texts) expect(text).toContain("You asked for: price down by 10%");
        const tested = await person.call("POST", `/api/jobs/${id}/rules/try`, {
          alertIf: { match: "all", ...number("down", 20, true) },
        });
        const rows = tested.raw.toString().split("\n").filter(Boolean);
        const alerts = rows.flatMap((row) => JSON.parse(row).rows ?? []);
        expect(
          alerts.filter(({ now }) => now.state === "alert").map(({ index }: { index: number }) => index),
        ).toEqual([5]);
      },
    ],
    alerting("a missing number", number("below", 65), "price is missing", {
      values: [{ name: "price", by: "availability" }],
    }),
    [
      "only additions, only removals, and no condition",
      async (person) => {
        const alertIf = { match: "all", conditions: [{ what: "only", is: "additions" }] };
        const { id, found } = await watch(person, { alertIf }, [html(...story), html(...story, "More")]);
        expect(found).toMatchObject({ changed: true, untold: null });
        await person.call("PATCH", `/api/jobs/${id}`, {
          alertIf: { match: "all", conditions: [{ what: "only", is: "removals" }] },
        });
        world.site.page.html = html(...story, "More", "Yet more");
        const whyQuiet = "nothing was removed";
        expect(await person.run(id)).toMatchObject({ changed: true, untold: whyQuiet });
        await person.call("PATCH", `/api/jobs/${id}`, { alertIf: null });
        world.site.page.html = html(...story, "More");
        expect(await person.run(id)).toMatchObject({ changed: true, untold: null });
      },
    ],
    // Every condition is tested in conditions.test.ts; here the engine runs one of each kind, and in the long set all.
    ...(isLong ? moreConditions : []),
  ],
  values: [
    [
      "a price in JSON-LD, a selector and a pattern; one that goes missing is a change, and it is not zero",
      async (person) => {
        const page = (price: string, aside: string) =>
          shop(price, aside).replace(
            "</head>",
            `${offerPage(price, "InStock").match(/<script.*<\/script>/)?.[0]}</head>`,
          );
        const values = [
          { name: "offer", by: "price" },
          { name: "shown", by: "selector", rule: "#price" },
          { name: "left", by: "pattern", rule: "/Only (\\d+) left/" },
        ];
        const pages: [string, string] = [page("1.059,00", "Only 5 left"), page("1.064,50", "Sold out")];
        const { id, found } = await watch(person, { values }, pages);
        const second = {
          offer: { number: 1064.5 },
          shown: { number: 1064.5 },
          left: { text: null, number: null },
        };
        expect(found).toMatchObject({ changed: true, values: second });
        expect(found.summary).toContain("shown 1.059,00 → 1.064,50");
        const { body } = await person.call("GET", `/api/jobs/${id}/values`);
        expect(body.points).toMatchObject([
          { values: { offer: { number: 1059 }, shown: { number: 1059 }, left: { number: 5 } } },
          { values: second },
        ]);
      },
    ],
    ...(isLong ? eachValue : []),
    following(
      "back in stock",
      { by: "availability" },
      [offerPage("59.00", "SoldOut"), offerPage("59.00", "https://schema.org/InStock")],
      [{ text: "sold out" }, { text: "in stock" }],
      {
        changed: true,
        severity: "important",
        summary: expect.stringMatching(/^Back in stock: it was sold out/),
      },
    ),
    [
      "back in stock, alerted every time",
      async (person) => {
        const values = [{ name: "it", by: "availability" }];
        const sold = offerPage("59.00", "SoldOut");
        const { id } = await watch(person, { values }, [sold, offerPage("59.00", "InStock")]);
        for (let round = 0; round < 2; round++) {
          world.site.page.html = sold;
          expect(await person.run(id)).toMatchObject({ changed: true, folded: false });
          world.site.page.html = offerPage("59.00", "InStock");
          const back = await person.run(id);
          expect(back).toMatchObject({
            changed: true,
            folded: false,
            summary: expect.stringMatching(/^Back in stock/),
          });
          await person.deliveriesOf(id, back.id);
        }
      },
    ],
    [
      "the only number in the compared part",
      async (person) => {
        const settings = { selector: "#price", values: [{ name: "it", by: "number" }] };
        const { found } = await watch(person, settings, [shop("59.00", "1"), shop("64.00", "2")]);
        expect(found).toMatchObject({ summary: "it 59.00 → 64.00", values: { it: { number: 64 } } });
      },
    ],
    [
      "a JSONPath, also in the trigger and the CSV export",
      async (person) => {
        world.site.page.kind = "json";
        const settings = {
          values: [{ name: "stock", by: "selector", rule: "jsonpath:$.items[0].stock" }],
          ...hook({ body: '{"stock": {{value.stock}}, "said": "{{value.stock}} left"}' }),
        };
        const file = (stock: number) => JSON.stringify({ items: [{ stock }] });
        const { id, found } = await watch(person, settings, [file(5), file(4)]);
        await person.deliveriesOf(id, found.id);
        const fired = await world.eventually("the trigger", async () => world.hook.received.at(-1));
        expect(JSON.parse(fired.body.toString())).toEqual({ stock: 4, said: "4 left" });
        const csv = await person.call("GET", `/api/jobs/${id}/export?format=csv`);
        expect(csv.raw.toString()).toContain("value.stock");
        expect(csv.raw.toString().split("\r\n")[1]).toMatch(/,4$/);
      },
    ],
  ],
  "trigger.url": [
    ["gets the request", async (person) => expect(await fireOnce(person)).toMatchObject({ path: "/fired" })],
  ],
  "trigger.method": [
    [
      "is the request's method",
      async (person) => expect(await fireOnce(person)).toMatchObject({ method: "PUT" }),
    ],
  ],
  "trigger.body": [
    [
      "is sent with its placeholders filled in",
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
      "fire the trigger if one of them is on the page",
      async (person) =>
        expect(await fire(person, hook({ strings: ["/6\\d\\.00/"] }))).toMatchObject({ path: "/fired" }),
    ],
    [
      "don't fire the trigger if none of them is on the page",
      async (person) => expect(await fire(person, hook({ strings: ["sold out"] }))).toBe("not fired"),
    ],
    [
      "don't fire the trigger if they are only in an ignored part",
      async (person) =>
        expect(await fire(person, { ...hook({ strings: ["only 5"] }), ignore: [".ad"] })).toBe("not fired"),
    ],
  ],
};

/** The settings that the API accepts, nested ones by their path. */
function settingsIn(schema: z.core.JSONSchema.BaseSchema, path = ""): string[] {
  const inner = [schema, ...(schema.anyOf ?? [])].find((one) => typeof one === "object" && one.properties);
  if (typeof inner !== "object" || !inner.properties) return [path];
  return Object.entries(inner.properties).flatMap(([name, one]) =>
    typeof one === "object" ? settingsIn(one, path === "" ? name : `${path}.${name}`) : [],
  );
}

test("an invalid setting is refused on save, with a message at its field", async () => {
  const { createJob, call } = await world.person();
  const id = await createJob();
  const strings = ["fine", "/(/"];
  const refused: [input: object, field: string, message: string][] = [
    [{ selector: "##[" }, "selector", "“##[” is not understood at character 1"],
    [{ selector: "xpath://p[" }, "selector", "at character 10"],
    [{ selector: "jsonpath:$[" }, "selector", "This is not a JSONPath"],
    [{ ignore: [".ad", "p["] }, "ignore.1", "a text goes in quotes"],
    [{ ignore: ["/(?<=a)b/"] }, "ignore.0", "can’t look ahead or behind"],
    [{ ignore: [`/${"a".repeat(10_000)}/`] }, "ignore.0", ""],
    [{ ignore: Array.from({ length: 51 }, () => ".ad") }, "ignore", "At most 50 things to ignore."],
    [{ lookup: { strings, when: "appears" } }, "lookup.strings.1", "This is not a pattern"],
    [
      { trigger: { url: `${world.hook.url}/x`, method: "GET", strings } },
      "trigger.strings.1",
      "This is not a pattern",
    ],
    [{ values: [{ name: "a b", by: "price" }] }, "values.0.name", "A value's name is a word"],
    [{ values: [{ name: "constructor", by: "price" }] }, "values.0.name", "This name is reserved."],
    [{ values: [{ name: "a", by: "selector", rule: "p[" }] }, "values.0.rule", "not a CSS selector"],
    [{ values: [{ name: "a", by: "pattern", rule: "a" }] }, "values.0.rule", "between slashes"],
    [{ values: ["a", "a"].map((name) => ({ name, by: "price" })) }, "values", "the same name"],
    [
      { alertIf: { match: "all", conditions: [{ what: "text", is: "added", text: " " }] } },
      "alertIf.conditions.0.text",
      "Enter the text.",
    ],
    [
      { alertIf: { match: "all", conditions: [{ what: "moon" }] } },
      "alertIf.conditions.0.what",
      "There is no such condition.",
    ],
    [
      { alertIf: { match: "all", ...number("up") } },
      "alertIf.conditions.0",
      "No value named price is followed.",
    ],
    [
      {
        ...followedPrice,
        alertIf: {
          match: "all",
          conditions: [...number("below", 5).conditions, ...number("above", 9).conditions],
        },
      },
      "alertIf.conditions.1",
      "No change can be both “price below 5” and “price above 9”.",
    ],
    [
      { ...followedPrice, alertIf: { match: "all", ...number("below", 5, true) } },
      "alertIf.conditions.0",
      "remove the percent sign, or use “up” or “down”",
    ],
    [
      { trigger: { url: `${world.hook.url}/x`, method: "GET", body: '"{{value.price}}"' } },
      "trigger.body",
      "No value named price is followed.",
    ],
    [{ schedule: { zone: "Moon", cron: "0 9 * * *" } }, "schedule.zone", "“Moon” isn’t a time zone"],
    [{ schedule: { zone: "UTC", cron: "9 o'clock" } }, "schedule.cron", "isn’t a cron line"],
    [{ schedule: { zone: "UTC", cron: "0 0 30 2 *" } }, "schedule.cron", "never occurs"],
    [{ schedule: { zone: "UTC", week: inHours([]) } }, "schedule.week", "Choose at least one hour."],
    [{ schedule: { zone: "UTC", week: [[9]] } }, "schedule.week", "A week has seven days."],
    [{ channels: [] }, "channels", "Choose at least one channel."],
    [{ url: "http://{{date:yyyy}}.example/" }, "url", "The host may not contain a date."],
    [{ url: "http://127.0.0.1/{{date:YYYY}}" }, "url", "isn’t part of a date"],
    [{ request: { method: "POST", as: "json", body: "{" } }, "request.body", "The body is not JSON."],
    [{ url: "https://ana:secret@example.com/" }, "url", "contains a user name or a password"],
    [{ message: { text: "{{nonsense}}" } }, "message.text", "isn’t a known placeholder. Known are: kind"],
    [{ request: { body: "a=b" } }, "request.body", "Nothing is sent with GET."],
    [{ request: { method: "HEAD", body: "a=b" } }, "request.body", "Nothing is sent with HEAD."],
    [{ request: { method: "TRACE" } }, "request.method", "Choose GET, POST, PUT, PATCH"],
    [{ url: "https://example.com/{{date:yyyy, -1 fortnight}}" }, "url", "isn’t part of a date"],
    [{ request: { language: "<de>" } }, "request.language", "A language as de-DE"],
    [{ request: { userAgent: "a\nb" } }, "request.userAgent", "control characters"],
    [{ tellFailures: { down: 4, gone: 1 } }, "tellFailures.down", "After 1, 2, 3 or 10 failed checks."],
    [{ waitFor: { selector: "p[" } }, "waitFor.selector", "This is not a CSS selector"],
    [{ browser: { device: "watch" } }, "browser.device", "Choose desktop, tablet or phone."],
    [{ browser: { language: "d" } }, "browser.language", "Enter one language, such as de or de-DE."],
    [{ browser: { block: ["ads"] } }, "browser.block", "This server has no list of ads."],
    [{ browser: { timeZone: "Moon" } }, "browser.timeZone", "Enter an IANA time zone"],
    [
      { browser: { language: "fr" }, request: { language: "de-DE, de;q=0.8" } },
      "browser.language",
      "The browser’s language is fr, but the request says de-DE. Choose one of them.",
    ],
    [
      { browser: { language: "fr" }, headers: [{ name: "Accept-Language", value: "de" }] },
      "browser.language",
      "The browser’s language is fr, but the request says de.",
    ],
    [
      { browser: { device: "phone" }, request: { userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64)" } },
      "browser.device",
      "The device is a phone, but the user agent is a desktop browser’s. Choose one of them.",
    ],
    [
      { browser: { device: "tablet" }, headers: [{ name: "User-Agent", value: "Mozilla/5.0 (X11; Linux)" }] },
      "browser.device",
      "The device is a tablet, but the user agent is a desktop browser’s.",
    ],
    [{ request: { method: "HEAD" }, waitFor: { seconds: 2 } }, "waitFor", "HEAD gets no page to wait for."],
    [
      { request: { method: "HEAD" }, pageSteps: [{ type: "click", selectors: [["#a"]] }] },
      "pageSteps",
      "HEAD gets no page to do steps on.",
    ],
    [{ note: "x".repeat(501) }, "note", "At most 500 characters."],
    [{ note: "a\u0007b" }, "note", "control characters"],
  ];
  for (const [input, field, message] of refused) {
    const { status, body } = await call("PATCH", `/api/jobs/${id}`, input);
    expect.soft([status, body.code, body.field]).toEqual([400, "INVALID_INPUT", field]);
    expect.soft(body.message).toContain(message);
  }
  expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({
    selector: null,
    ignore: [],
    trigger: null,
  });
});

test("a cron line that the plan doesn't allow is refused, with the plan that allows it", async () => {
  const { createJob, call } = await world.person({ plan: "basic" });
  const id = await createJob({ schedule: { zone: "UTC", cron: "0 * * * *" } });
  const { status, body } = await call("PATCH", `/api/jobs/${id}`, {
    schedule: { zone: "UTC", cron: "*/30 * * * *" },
  });
  expect([status, body.code, body.field]).toEqual([403, "PLAN_LIMIT_REACHED", "schedule.cron"]);
  expect(body.message).toBe(
    "The Basic plan’s minimum interval is 60 minutes, but this cron line runs twice within 30 minutes. On the Professional plan it’s 20 minutes.",
  );
});

test("a clone has every setting, including secrets, and its own name", async () => {
  const person = await world.person();
  const id = await person.createJob({
    name: "Lamp",
    headers: [{ name: "X-Key", value: "secret" }],
    ...followedPrice,
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
  const ownFields = [
    "id",
    "name",
    "createdAt",
    "executions",
    "executionsTotal",
    "activity",
    "nextRunAt",
    "trouble",
  ];
  const settings = Object.fromEntries(
    Object.entries(first.body).filter(([name]) => !ownFields.includes(name)),
  );
  expect((await person.call("GET", `/api/jobs/${copy.id}`)).body).toMatchObject(settings);
  expect((await (await world.person()).call("POST", `/api/jobs/${id}/clone`)).status).toBe(404);
});

test("every setting of a job has a test row", () => {
  expect(Object.keys(rows).sort()).toEqual(settingsIn(z.toJSONSchema(NewJob, { io: "input" })).sort());
});

const all = Object.entries(rows).flatMap(([setting, shown]) =>
  shown.map(([what, show]): [string, string, Row[1]] => [setting, what, show]),
);

test.for(all)("%s: %s", async ([, , show]) => {
  expect.hasAssertions();
  await show(await world.person());
});
