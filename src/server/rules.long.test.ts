import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ZipEntry, zip } from "#zip/write-zip.ts";
import { file, json, page, plain, startRealCaptures } from "./testing/real-captures.ts";
import { sendImport } from "./testing/send-import.ts";

// What counts, from the API through real captures to the alert. The browser captures where it is the subject; the other
// sites are files, which are captured by HTTP.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let product: Awaited<ReturnType<typeof startRealCaptures>>;
beforeAll(async () => {
  product = await startRealCaptures();
});
afterAll(() => product.close());

type User = Awaited<ReturnType<typeof product.open>>;
const condition = (one: object) => ({ alertIf: { match: "all", conditions: [one] } });
const onlyText = (is: string, text: string) => condition({ what: "text", is, text });
const isQuiet = { changed: false, error: null, deliveries: [] };
const steps = (...list: [string, string?, string?][]) => ({
  steps: list.map(([kind, text = "", to = ""]) => ({ do: kind, text, to })),
});
const refusal = async ({ call }: User, id: string, input: object) => {
  const { status, body } = await call("PATCH", `/api/jobs/${id}`, input);
  return [status, body.field, body.message];
};

test.concurrent("layout around what is chosen is listed, and its words are alerted", async () => {
  const world = await product.open();
  const styles =
    "table{border-collapse:collapse}td{border:1px solid;padding:4px}.row{display:flex;gap:20px}.ad{float:left;height:40px}";
  const layout = (wide: boolean, cell = "stays") => {
    const pick = (one: string, other: string) => (wide ? other : one);
    const stories = [
      "First of all somebody said a thing that nobody had said.",
      "Then another one spoke, and everybody listened to it.",
    ];
    const reordered = wide ? stories.toReversed() : stories;
    return page(
      `<table><tr><td>${pick("1", "much longer than before")}</td><td>${cell}</td><td>2</td></tr></table>
       <p class=seen>Seen by <b class=count>${pick("9", "1,204,877")}</b> people since we opened this page.</p>
       ${reordered.map((words) => `<p class=part>${words}</p>`).join("")}
       <div class=row><div>${pick("News", "News from all the islands")}</div><div class=offer>Copper can</div></div>
       <div class=ad style="width:${pick("80", "300")}px"></div><p class=story>A story that goes on for a while.</p>
       <pre>${pick(" ", "")}A poem</pre>`,
      `<style>${styles}</style>`,
    );
  };
  const selector = ["xpath:(//td)[2]", ".seen", ".part", ".offer", ".story", "pre"].join("\n");
  const job = await world.watch({ selector, ignore: [".count"] }, [
    layout(false),
    layout(true),
    layout(true, "is new"),
  ]);
  const moved = await job.check();
  expect(moved).toMatchObject(isQuiet);
  const changed = await job.check();
  expect(changed).toMatchObject({ changed: true, summary: "“stays” → “is new”" });
  expect((await world.alertOf(changed)).text).toContain("is new");
});

test.concurrent("values that XPath yields are what counts", async () => {
  const world = await product.open();
  const values = (count: number, title: string, id: string, version: string, to: string, sale: string) =>
    page(
      `<h1>${title}</h1><div></div><div id="${id}"></div>${"<div></div>".repeat(count)}<a href="${to}">Go on</a><p>${sale} today</p>`,
      `<title>x</title><meta name=version content="${version}">`,
    );
  const selector = [
    "xpath:count(//div)",
    "xpath:string(//h1)",
    "xpath://div[2]/@id",
    "xpath://meta/@content",
    "xpath://a/@href",
    "xpath://p[matches(., 'SALE', 'i')]/text()",
  ].join("\n");
  const job = await world.watch({ selector }, [
    values(1, "Open", "a1", "1.4", "/one", "Sale of lamps"),
    values(2, "Closed", "a2", "1.5", "two", "Sale of chairs"),
  ]);
  const changed = await job.check();
  expect((await world.alertOf(changed)).text).toContain("Closed");
  const found = JSON.stringify(changed.verdict?.reasons);
  for (const value of ["4", "Closed", "a2", "1.5", '"two"', "Sale of chairs"]) expect(found).toContain(value);
  expect(await refusal(world, job.id, { selector: "xpath:count(" })).toEqual([
    400,
    "selector",
    expect.stringContaining("is not understood"),
  ]);
});

test.concurrent("conditions on text: absent keeps the baseline, only additions and removals, a new match", async () => {
  const world = await product.open();
  const absent = await world.watch(onlyText("absent", "maintenance"), [
    plain("Price 5\nIn stock"),
    plain("Price 6\nMaintenance"),
    plain("Price 6\nIn stock"),
  ]);
  expect(await absent.check()).toMatchObject({ untold: "“maintenance” is there", deliveries: [] });
  const back = await absent.check();
  expect(back.summary).toMatch(/5.* → .*6/);
  await world.alertOf(back);
  const lines = [plain("One thing\nTwo\nThree"), plain("Two\nThree\nAnother matter")];
  for (const is of ["additions", "removals"]) {
    const job = await world.watch(condition({ what: "only", is }), lines);
    expect((await world.alertOf(await job.check())).text).toContain("Another matter");
  }
  const version = await world.watch(onlyText("added", "/v\\d+\\.\\d+/"), [
    plain("Now v1.2"),
    plain("Now v1.3"),
  ]);
  expect((await world.alertOf(await version.check())).text).toContain("v1.3");
});

test.concurrent("conditions on size, similarity and matches: unmet with a reason, met with an alert", async () => {
  const world = await product.open();
  const conditions = [
    { what: "size", of: "characters", is: "above", amount: 40 },
    { what: "size", of: "words", is: "above", amount: 8 },
    { what: "similarity", is: "below", amount: 90 },
    { what: "matches", is: "above", text: "/in stock/i", amount: 1 },
  ];
  const shop = (...words: string[]) => plain(words.join("\n"));
  const job = await world.watch({ alertIf: { match: "all", conditions } }, [
    shop("Lamp: sold out"),
    shop("Lamp: in stock"),
    shop("Lamp: in stock", "Chair: in stock from Monday on", "Table: sold out"),
  ]);
  expect(await job.check()).toMatchObject({
    untold: "it has 14 characters, you asked for above 40",
    deliveries: [],
  });
  const met = await job.check();
  expect(met.untold).toBeNull();
  expect((await world.alertOf(met)).text).toContain("words above 8");
});

test.concurrent("rules without effect are refused, and one that matches nothing for five checks is named", async () => {
  const world = await product.open();
  const job = await world.watch({ ignore: ["never there"] }, [plain("Lamp\nChair")]);
  expect(await refusal(world, job.id, { ignore: ["/.+/s"] })).toEqual([
    400,
    "ignore.0",
    expect.stringContaining("everything"),
  ]);
  expect(await refusal(world, job.id, { ignore: ["/lamp/q"] })).toEqual([
    400,
    "ignore.0",
    expect.stringContaining("flag"),
  ]);
  for (let run = 0; run < 5; run++) await job.check(0);
  const { body } = await world.call("GET", `/api/jobs/${job.id}/noise`);
  expect(body.idleRules).toEqual(["never there"]);
});

test.concurrent("inline matches are lines of their own; of an image its address counts, and of a frame", async () => {
  const world = await product.open();
  const chosen = (price: string, image: string, frame: string) =>
    page(
      `<p>A <b class=v>10</b> of <b class=v>${price}</b></p><img class=v src="/${image}.png" width=40 height=40 alt="">
       <iframe class=v src="/${frame}" width=90 height=40></iframe>`,
    );
  const dot = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  );
  const image = { body: dot, type: "image/png" };
  const job = await world.watch({ selector: ".v" }, [chosen("20", "a", "x"), chosen("30", "b", "y")], {
    "/a.png": image,
    "/b.png": image,
    "/x": "<p>Film</p>",
    "/y": "<p>Film</p>",
  });
  const { text } = await world.alertOf(await job.check());
  for (const words of ["20", "30", "b.png", "/y"]) expect(text).toContain(words);
});

test.concurrent("an empty reply with status 200 is a failure, and the next page is compared with the last", async () => {
  const world = await product.open();
  const job = await world.watch({ tellFailures: { down: 1, gone: 1 } }, [
    plain("Price 5"),
    plain(""),
    plain("Price 6"),
  ]);
  const empty = await job.check();
  expect(empty).toMatchObject({ changed: false, error: expect.stringContaining("sent an empty reply") });
  expect((await world.alertOf(empty)).text).toContain("empty reply");
  expect((await job.check()).summary).toMatch(/5.* → .*6/);
});

test.concurrent("selectors on feeds whatever their content type, and feeds by their entries", async () => {
  const world = await product.open();
  const item = (id: number, title: string) =>
    `<item><guid>g${id}</guid><title>${title}</title><link>http://feed.example/${id}</link></item>`;
  const rss = (...items: string[]) =>
    `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour</title><link>http://feed.example/</link>${items.join("")}</channel></rss>`;
  const before = rss(item(1, "Pier opens"), item(2, "Ferry runs"), item(3, "Old story"));
  const after = rss(item(4, "Storm comes"), item(1, "Pier closes"), item(3, "Old story"));
  for (const type of ["text/html", "text/plain", "application/rss+xml"]) {
    const reply = file(type);
    const job = await world.watch({ selector: "item > title" }, [reply(before), reply(after)]);
    expect((await world.alertOf(await job.check())).text).toContain("Storm comes");
  }
  const job = await world.watch({}, [file("application/xml")(before), file("application/xml")(after)]);
  const { text } = await world.alertOf(await job.check());
  expect(text).toMatch(/New entry: Storm comes/);
  expect(text).toMatch(/Edited: Pier closes/);
  expect(text).toMatch(/Ferry runs/);
});

test.concurrent("steps in their order, with the lines that each leaves", async () => {
  const world = await product.open();
  const list = (price: number) =>
    plain(
      `Intro\nOffers\n Chair: 9 EUR \nLamp: ${price} EUR\nLamp: ${price} EUR\nBench: 7 EUR\nReviews\n12 EUR`,
    );
  const settings = steps(
    ["between", "Offers", "Reviews"],
    ["keep", "EUR"],
    ["capture", "/(\\w+): (\\d+)/", "$2 for $1"],
    ["trim"],
    ["sort"],
    ["unique"],
    ["repeated"],
  );
  const job = await world.watch(settings, [list(5), list(6)]);
  const { body } = await world.call("POST", `/api/jobs/${job.id}/rules/cover`, settings);
  expect((body.steps as unknown as { count: number }[]).map(({ count }) => count)).toEqual([
    8, 4, 4, 4, 4, 4, 3, 3,
  ]);
  expect(body.steps).toMatchObject({ 7: { lines: ["5 for Lamp", "7 for Bench", "9 for Chair"] } });
  const { text } = await world.alertOf(await job.check());
  expect(text).toContain("6 for Lamp");
});

test.concurrent("JSON by JSONPath and jq, as a body, by JSONP and in a page, told by key path", async () => {
  const world = await product.open();
  const stock = (price: number) => JSON.stringify({ items: [{ name: "Lamp", price }], at: price });
  for (const [selector, wrap] of [
    ["jsonpath:$.items[*].price", json],
    ["jq:.items[] | {price}", json],
    ["jsonpath:$.items[*].price", (body: string) => file("text/javascript")(`show(${body});`)],
  ] as const) {
    const job = await world.watch({ selector }, [wrap(stock(5)), wrap(stock(6))]);
    expect((await world.alertOf(await job.check())).text).toMatch(/price: 5 → 6/);
  }
  const inPage = (price: number) =>
    page(
      `<p>Lamps</p><pre>{"pre":{"price":${price}}}</pre>`,
      `<script type="application/ld+json">{"@type":"Offer","offer":{"price":${price}}}</script>
       <script type="application/json">{"state":{"price":${price}}}</script>`,
    );
  const job = await world.watch({ selector: "jsonpath:$..price" }, [inPage(5), inPage(6)]);
  const changed = await job.check();
  expect((await world.alertOf(changed)).text).toContain("offer.price: 5 → 6");
  const places = JSON.stringify(changed.verdict?.reasons);
  for (const key of ["offer.price", "state.price", "pre.price"]) expect(places).toContain(key);
});

test.concurrent("a message in the job's own words, with every name, and a preview on the real change", async () => {
  const world = await product.open();
  const names =
    "job.group added removed diff.full patch snapshot matched old.price value.price base condition";
  const message = {
    title: "{{job.group}}: {{old.price}} to {{value.price}}",
    text: names
      .split(" ")
      .map((name) => `${name}=[{{${name}}}]`)
      .join("\n"),
  };
  const settings = {
    message,
    values: [{ name: "price", by: "pattern", rule: "/Price (\\d+)/" }],
    lookup: { strings: ["cheap"], when: "appears" },
    alertIf: {
      match: "any",
      conditions: [{ what: "number", name: "price", is: "down", amount: 1, percent: false }],
    },
  };
  const job = await world.watch(settings, [plain("A lamp\nPrice 6"), plain("A lamp\nPrice 5\nVery cheap")]);
  const { subject, text } = await world.alertOf(await job.check());
  expect(subject).toBe("Group: 6 to 5");
  for (const part of ["job.group=[Group]", "Very cheap", "@@ -1,2 +1,3 @@", "-Price 6", "matched=[cheap]"])
    expect(text).toContain(part);
  expect(text).toMatch(/old\.price=\[6\]\nvalue\.price=\[5\]\nbase=\[http/);
  const preview = await world.call("POST", "/api/me/channels/email/template/preview", {
    text: "{{value.price}} €",
    jobId: job.id,
  });
  expect(preview.body).toMatchObject({ lines: [[{ text: "5" }, { text: " €" }]] });
  expect(await refusal(world, job.id, { message: { title: "", text: "{{nothing}}" } })).toEqual([
    400,
    "message.text",
    expect.stringContaining("Known are: kind"),
  ]);
});

test.concurrent.for(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])(
  "the page is requested by %s, with dates in its URL and body",
  async (method) => {
    const world = await product.open();
    const hasBody = ["POST", "PUT", "PATCH"].includes(method);
    const site = await product.openSite([json('{"a":1}')]);
    const id = await world.createJob({
      url: `${site.url}/{{date:yyyy-MM-dd, -1 day}}.json`,
      request: { method, as: "json", body: hasBody ? '{"day":"{{date:yyyy-MM-dd}}"}' : "" },
    });
    expect(await world.execution(id, 1)).toMatchObject({ error: null });
    const [asked] = site.asked;
    expect(asked).toMatchObject({
      method,
      path: expect.stringMatching(/^\/watched\/\d{4}-\d\d-\d\d\.json$/),
    });
    expect(asked?.body).toMatch(hasBody ? /^\{"day":"\d{4}-\d\d-\d\d"\}$/ : /^$/);
  },
);

test.concurrent("the source is compared as it was received, and a job without a name gets the page's title", async () => {
  const world = await product.open();
  const built = (build: number) =>
    page(`<!-- build ${build} --><p>Same words</p>`, "<title>The harbour</title>");
  const job = await world.watch({ name: "", compareAs: "source" }, [built(1), built(2)]);
  const changed = await job.check();
  expect(await world.alertOf(changed)).toMatchObject({
    subject: expect.stringContaining("The harbour"),
    text: expect.stringContaining("build [-1-] {+2+}"),
  });
});

test.concurrent("a group's selector and the job's own: both, or one instead of the other", async () => {
  const world = await product.open();
  const { body: group } = await world.call("POST", "/api/jobs/groups", { name: "Feeds" });
  await world.call("PUT", `/api/jobs/groups/${group.id}/settings`, { selector: "jsonpath:$.a" });
  const replies = [json('{"a":1,"b":1}'), json('{"a":2,"b":1}')];
  const own = { groupId: group.id, selector: "jsonpath:$.b" };
  const [one, both] = [
    await world.watch(own, replies),
    await world.watch({ ...own, joinsSelector: true }, replies),
  ];
  expect(await one.check()).toMatchObject(isQuiet);
  expect((await world.alertOf(await both.check())).text).toMatch(/a: 1 → 2/);
});

test.concurrent("patterns and selectors end by themselves at a stated limit, and the check says so", async () => {
  const world = await product.open();
  // Each <i> is less deep than the second selector is long: all ways up are tried.
  const deep = `${"<r>".repeat(35)}${"<i>w</i>".repeat(300)}${"</r>".repeat(35)}`;
  const xml = file("application/xml")(`<?xml version="1.0"?>${deep}`);
  const limit = expect.stringContaining("half a second of processor time");
  const saved = await world.watch({}, [xml]);
  for (const selector of ["xpath://*[count(//*[count(//*)>1])>1]", Array(40).fill("*").join(" ")]) {
    expect(await refusal(world, saved.id, { selector })).toEqual([400, "selector", limit]);
    const { first } = await world.watch({ selector }, [xml]);
    expect(first.error).toEqual(limit);
  }
});

test.concurrent("lists with tags, a spreadsheet, time zones with spaces, passwords in URLs, and what is out", async () => {
  const world = await product.open();
  const site = await product.openSite([plain("A lamp")]);
  const isOut =
    "url: http://shop.example/\n---\nurl: ftp://files.example/a.txt\n---\nname: Local\ncommand: ls\n";
  const out = await sendImport(product, world, isOut, true);
  expect(out.body.items.slice(1).map(({ problem }) => problem)).toEqual([
    expect.stringContaining("FTP server or a disk"),
    expect.stringContaining("doesn’t run commands"),
  ]);
  await sendImport(product, world, `${site.url}.txt lamps, client A\n`);
  const cells = ["Name", "URL", "Lamps in a sheet", `${site.url}/sheet.txt`].map((words, at) => {
    const place = `${"AB"[at % 2]}${at < 2 ? 1 : 2}`;
    return `<c r="${place}" t="inlineStr"><is><t>${words}</t></is></c>`;
  });
  const sheet = await workbook(
    `<row r="1">${cells.slice(0, 2).join("")}</row><row r="2">${cells.slice(2).join("")}</row>`,
  );
  expect((await sendImport(product, world, sheet)).body).toMatchObject({ format: "Excel", taken: 1 });
  const { body } = await world.call("GET", "/api/jobs");
  const jobs = body.jobs as unknown as { id: string; url: string; tags: string[] }[];
  const imported = jobs.filter(({ url }) => url.startsWith(site.url));
  expect(imported.map(({ url, tags }) => [url, tags])).toEqual(
    expect.arrayContaining([
      [`${site.url}.txt`, ["lamps", "client A"]],
      [`${site.url}/sheet.txt`, []],
    ]),
  );
  for (const { id } of imported) expect(await world.execution(id, 1)).toMatchObject({ error: null });
  const [first] = imported;
  const zone = { schedule: { zone: " Europe/Berlin ", cron: "0 6 * * *" } };
  await world.call("PATCH", `/api/jobs/${first?.id}`, zone);
  expect((await world.call("GET", `/api/jobs/${first?.id}`)).body).toMatchObject({
    schedule: { zone: "Europe/Berlin" },
  });
  expect(await refusal(world, first?.id ?? "", { url: "https://ana:secret@shop.example/" })).toEqual([
    400,
    "url",
    expect.stringContaining("contains a user name or a password"),
  ]);
});

async function workbook(rows: string): Promise<Uint8Array<ArrayBuffer>> {
  const files: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": '<workbook><sheets><sheet name="Pages" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/worksheets/sheet1.xml": `<?xml version="1.0"?><worksheet><sheetData>${rows}</sheetData></worksheet>`,
  };
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [name, content] of Object.entries(files))
      yield { name, bytes: Buffer.from(content), modified: new Date(0), compress: true };
  }
  const written: Uint8Array[] = [];
  for await (const part of zip(entries())) written.push(part as Uint8Array);
  return new Uint8Array(Buffer.concat(written));
}
