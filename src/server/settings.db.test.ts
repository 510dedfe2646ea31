import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { startOutside } from "#alerts/testing/outside.ts";
import { html, story } from "#checks/testing/page.ts";
import { NewJob } from "#contract/job.ts";

// Every setting of a job: set through the API, a check run by the engine, the effect seen at the far end. How a page is
// reached and waited for is shown by a real browser in engine.browser.test.ts; here the capture's request is the far end.

let world: Awaited<ReturnType<typeof startOutside>>;
beforeAll(async () => {
  world = await startOutside();
});
afterAll(() => world.close());
beforeEach(() => {
  Object.assign(world.site.page, { kind: "html" });
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
  "trigger.url": [
    ["is asked", async (person) => expect(await fire(person, hook())).toMatchObject({ path: "/fired" })],
  ],
  "trigger.method": [
    ["is used", async (person) => expect(await fire(person, hook())).toMatchObject({ method: "PUT" })],
  ],
  "trigger.body": [
    [
      "is filled and sent",
      async (person) => {
        const fired = await fire(person, hook({ body: '{"now": "{{added}}"}' }));
        expect(fired !== "not fired" && fired?.body.toString()).toContain("64.00");
      },
    ],
  ],
  "trigger.headers": [
    [
      "are sent",
      async (person) => {
        const fired = await fire(person, hook({ headers: [{ name: "X-Key", value: "k" }] }));
        expect(fired).toMatchObject({ headers: { "x-key": "k" } });
      },
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
