import { expect, test } from "vitest";
import { type ZipEntry, zip } from "#history/export-zip.ts";
import { readImport } from "./read-import.ts";

const read = (text: string) => readImport(Buffer.from(text));
async function pack(files: Record<string, string | Buffer>): Promise<Buffer> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [name, content] of Object.entries(files))
      yield { name, bytes: Buffer.from(content), modified: new Date(0), compress: true };
  }
  const parts: Uint8Array[] = [];
  for await (const part of zip(entries())) parts.push(part as Uint8Array);
  return Buffer.concat(parts);
}

test("a list of addresses, with names and remarks", async () => {
  const { format, drafts } = await read(
    "# mine\nhttps://a.example/x\nhttps://b.example/ The shop # later\n\n",
  );
  expect(format).toBe("list of addresses");
  expect(drafts.map(({ url, name }) => [url, name])).toEqual([
    ["https://a.example/x", "a.example/x"],
    ["https://b.example/", "The shop"],
  ]);
});

test("CSV by its heading; what is not known is told", async () => {
  const { drafts } = await read(
    'Title;URL;Tag;Minutes;Colour\n"A; b";https://a.example/;News;15;red\n;https://b.example/;;;\n',
  );
  expect(drafts).toMatchObject([
    {
      name: "A; b",
      url: "https://a.example/",
      group: "News",
      frequency: 15,
      left: ["The column “Colour” is not known."],
    },
    { name: "b.example/", group: null, frequency: null },
  ]);
  await expect(read("a,b\n1,2\n")).rejects.toThrow("The CSV has no column called url.");
});

test("OPML: outlines around others are groups; pages come before their feeds", async () => {
  const { drafts } = await read(`<?xml version="1.0"?><opml version="2.0"><body>
    <outline text="Security"><outline text="CERT" type="rss" xmlUrl="https://cert.example/feed" htmlUrl="https://cert.example/"/></outline>
    <outline text="Loose" xmlUrl="https://loose.example/feed"/></body></opml>`);
  expect(drafts.map(({ group, name, url }) => [group, name, url])).toEqual([
    ["Security", "CERT", "https://cert.example/"],
    [null, "Loose", "https://loose.example/feed"],
  ]);
  await expect(read("<html></html>")).rejects.toThrow("This is not OPML.");
});

const store = {
  watching: {
    a: {
      url: "https://shop.example/item",
      title: "Item",
      tags: ["t1", "t2"],
      paused: true,
      time_between_check: { weeks: null, days: 1, hours: 2, minutes: null, seconds: null },
      time_between_check_use_default: false,
      include_filters: [".price", "xpath://h1", "json:$.stock", "jq:.a"],
      subtractive_selectors: ["footer"],
      ignore_text: ["people online", "/\\d+ views/"],
      trigger_text: ["In stock"],
      headers: { "X-Team": "blue", "User-Agent": "curl/8" },
      method: "POST",
      body: "a=1",
      webdriver_delay: 40,
      browser_steps: [{ operation: "Click" }],
      notification_urls: ["discord://id/token"],
    },
    b: { url: "https://other.example/", time_between_check_use_default: true, tags: [] },
  },
  settings: {
    application: {
      tags: { t1: { title: "Shops" }, t2: { title: "Later" } },
      notification_urls: ["pover://x"],
    },
    requests: { time_between_check: { hours: 3 } },
  },
};

test.each([
  ["its JSON", async () => Buffer.from(JSON.stringify(store))],
  [
    "its backup",
    () => pack({ "url-watches.json": JSON.stringify(store), "a/1700000000.txt": "old", "url-list.txt": "" }),
  ],
])("changedetection.io: %s", async (_, make) => {
  const { format, drafts, channels } = await readImport(await make());
  expect(format).toBe("changedetection.io");
  expect(drafts[0]).toMatchObject({
    name: "Item",
    group: "Shops",
    frequency: 1560,
    paused: true,
    selector: ".price\nxpath://h1\njsonpath:$.stock",
    ignore: ["footer", '"people online"', "/\\d+ views/"],
    lookup: { strings: ["In stock"], when: "appears" },
    headers: [{ name: "X-Team", value: "blue" }],
    waitFor: { seconds: 15 },
    request: { method: "POST", as: "form", body: "a=1", userAgent: "curl/8", language: "" },
  });
  expect(drafts[0]?.left).toEqual([
    "The filter “jq:.a” has no counterpart.",
    "A job is in one group: the tags Later are left out.",
    "Browser steps have no counterpart.",
  ]);
  expect(drafts[1]).toMatchObject({ frequency: 180, group: null, selector: null });
  expect(channels).toEqual([
    "It notifies by “pover”, which has no counterpart.",
    "It notifies by Discord: put the address in under BOT and Automations in the profile.",
  ]);
});

test("changedetection.io's newer backups keep each watch in a file of its own", async () => {
  const { drafts } = await readImport(
    await pack({
      "changedetection.json": JSON.stringify({ settings: store.settings }),
      "0b-1/watch.json": JSON.stringify(store.watching.a),
    }),
  );
  expect(drafts).toMatchObject([{ name: "Item", group: "Shops" }]);
});

test("urlwatch and webchanges: many documents, filters by their counterpart", async () => {
  const { format, drafts } = await read(`name: Shop
url: https://shop.example/
filter:
  - css:
      selector: .price
      exclude: .old
  - html2text
  - shellpipe: rm -rf /
headers:
  X-A: b
cookies: {session: abc}
max_tries: 3
---
name: App
navigate: https://app.example/
filter: element-by-id:main,strip
wait_for_selector: "#ready"
---
name: Local
command: ls
`);
  expect(format).toBe("urlwatch or webchanges");
  expect(drafts).toMatchObject([
    {
      name: "Shop",
      selector: ".price",
      ignore: [".old"],
      headers: [
        { name: "X-A", value: "b" },
        { name: "Cookie", value: "session=abc" },
      ],
      left: ["“max_tries” has no counterpart.", "The filter “shellpipe” has no counterpart."],
    },
    { url: "https://app.example/", selector: "#main", waitFor: { selector: "#ready" }, left: [] },
    { url: "", left: ["“command” has no counterpart.", "It has no address: commands are not run here."] },
  ]);
});

test.each([
  [
    "data: {q: lamp, page: 1}",
    { method: "POST", as: "form", body: "q=lamp&page=1", userAgent: "", language: "" },
    [],
  ],
  [
    "method: PUT\ndata_as_json: true\ndata: {q: [1, 2]}",
    { method: "PUT", as: "json", body: '{"q":[1,2]}', userAgent: "", language: "" },
    [],
  ],
  [
    "data: '{\"a\": 1}'\nheaders: {Content-Type: application/json, Accept-Language: de}",
    { method: "POST", as: "json", body: '{"a": 1}', userAgent: "", language: "de" },
    [],
  ],
  [
    "data: plain words\nheaders: {Content-Type: text/plain}",
    { method: "POST", as: "form", body: "plain words", userAgent: "", language: "" },
    ["The body is sent as a form, not as text/plain."],
  ],
  ["method: DELETE", null, ["The method DELETE is left out: pages are asked for by GET, POST or PUT."]],
  ["user_agent: Lynx", { method: "GET", userAgent: "Lynx", language: "" }, []],
])("urlwatch: how a page is asked for: %s", async (lines, request, left) => {
  const { drafts } = await read(`url: https://shop.example/\n${lines}\n`);
  expect(drafts).toMatchObject([{ request, headers: [], left }]);
});

test("Distill: what is JSON inside JSON is read", async () => {
  const config = {
    selections: [
      {
        delay: 3,
        frames: [
          {
            index: 0,
            includes: [
              { type: "css", expr: "#a" },
              { type: "xpath", expr: "//p" },
            ],
            excludes: [{ type: "css", expr: ".ad" }],
          },
        ],
      },
    ],
  };
  const { format, drafts } = await read(
    JSON.stringify({
      client: { local: 1 },
      data: [
        {
          name: "Tender",
          uri: "https://tender.example/",
          config: JSON.stringify(config),
          schedule: JSON.stringify({ type: "INTERVAL", params: { interval: 7200 } }),
          tags: "Work,Later",
        },
      ],
    }),
  );
  expect(format).toBe("Distill");
  expect(drafts).toMatchObject([
    {
      name: "Tender",
      group: "Work",
      frequency: 120,
      selector: "#a\nxpath://p",
      ignore: [".ad"],
      waitFor: { seconds: 3 },
    },
  ]);
});

test("files made to harm are refused in a sentence", { timeout: 20_000 }, async () => {
  const bomb = [
    "a: &a [x,x,x,x,x,x,x,x,x]",
    ..."bcdefgh"
      .split("")
      .map((name, at) => `${name}: &${name} [${`*${"abcdefgh"[at]},`.repeat(9).slice(0, -1)}]`),
  ].join("\n");
  await expect(read(`url: https://a.example/\n${bomb}`)).rejects.toThrow(/unfolds without end/);
  await expect(readImport(await pack({ "../../etc/cron.d/x": "no" }))).rejects.toThrow(
    /^The ZIP cannot be read/,
  );
  const large = await pack({ "url-watches.json": Buffer.alloc(11 * 1024 * 1024, 32) });
  await expect(readImport(large)).rejects.toThrow("larger than 10 MiB unpacked");
  const lying = Buffer.from(await pack({ "url-watches.json": JSON.stringify(store) }));
  const at = lying.lastIndexOf(Buffer.from("PK\u0001\u0002", "latin1"));
  lying.writeUInt32LE(5, at + 24);
  await expect(readImport(lying)).rejects.toThrow(/^(The ZIP cannot be read|A file in the ZIP)/);
  lying.writeUInt32LE(0xffff_fff0, at + 24);
  await expect(readImport(lying)).rejects.toThrow("larger than 1 GiB unpacked");
  for (const [text, sentence] of [
    ["", "The file is empty."],
    ["{", "The file begins as JSON and is none."],
    ['{"a":1}', "This JSON is no export of Watchglass, changedetection.io or Distill."],
    [
      Array.from({ length: 1001 }, (_, n) => `https://a.example/${n}`).join("\n"),
      "The file has more than 1,000 addresses. Split it and import its parts.",
    ],
  ] as const)
    await expect(read(text)).rejects.toThrow(sentence);
  await expect(readImport(Buffer.from([0xff, 0xfe, 0, 1]))).rejects.toThrow(
    "neither text in UTF-8 nor a ZIP",
  );
});

const address = "https://a.example/";
const repeated = (length: number, make: (n: number) => string) =>
  Array.from({ length }, (_, n) => make(n)).join("");
const ownJob = {
  name: "a",
  url: address,
  group: "g",
  frequencyMinutes: 60,
  status: "ACTIVE",
  selector: null,
};

/** Of each family the largest file that is taken, and one that is a little larger. */
test.for<[what: string, make: (size: number) => string, size: number, beyond: number, says: string | RegExp]>(
  [
    [
      "lines of a list",
      (lines) => `${address}\n${repeated(lines - 1, () => "# a remark\n")}${address}x`,
      19_999,
      20_000,
      "The list has 20,001 lines; at most 20,000 are read. Split the file and import its parts.",
    ],
    [
      "remarks in a line",
      (count) => repeated(count, () => `${address} a # b\n`),
      1_000,
      1_001,
      /^The file has more than 1,000 addresses/,
    ],
    [
      "columns",
      (columns) => `url${",a".repeat(columns - 1)}\n${address}`,
      100,
      101,
      "The CSV has 101 columns; at most 100 are read. Split the file and import its parts.",
    ],
    [
      "rows",
      (rows) => `url,name\n${address},a\n${",b\n".repeat(rows - 2)}`,
      20_000,
      20_001,
      /^The CSV has more than 20,000 rows\./,
    ],
    [
      "a row",
      (length) => `url,name\n${address},${"a".repeat(length)}`,
      90_000,
      100_001,
      /^A row of the CSV is longer than 100,000 characters/,
    ],
    [
      "levels of an outline",
      (depth) =>
        `<opml>${"<outline>".repeat(depth - 2)}<outline url="${address}"/>${"</outline>".repeat(depth - 2)}</opml>`,
      50,
      51,
      "The outline is nested too deeply: at most 50 levels are read.",
    ],
    [
      "elements of an outline",
      (count) => `<opml><outline url="${address}"/>${"<a/>".repeat(count - 2)}</opml>`,
      20_000,
      20_001,
      /^The OPML has more than 20,000 elements\./,
    ],
    [
      "attributes",
      (count) => `<opml><outline url="${address}" ${repeated(count - 1, (n) => `a${n}="" `)}/></opml>`,
      50,
      51,
      "An element of the OPML has more than 50 attributes.",
    ],
    [
      "keys of a YAML job",
      (keys) => `url: ${address}\n${repeated(keys - 1, (n) => `k${n}: 1\n`)}`,
      1_000,
      1_001,
      "The YAML of job 1 cannot be read: It has more than 1,000 keys.",
    ],
    [
      "keys on one line",
      (keys) => `url: ${address}\na: {${repeated(keys - 2, (n) => `k${n}: 1,`)}}`,
      1_000,
      1_001,
      /more than 1,000 keys/,
    ],
    [
      "lines of a YAML job",
      (lines) => `url: ${address}\n${"#\n".repeat(lines - 2)}name: a`,
      5_000,
      5_001,
      /more than 5,000 lines/,
    ],
    [
      "length of a YAML job",
      (length) => `url: ${address}\nname: ${"a".repeat(length)}`,
      260_000,
      263_000,
      /larger than 256 KiB/,
    ],
    [
      "uses of anchors",
      (uses) => `url: ${address}\na: [${repeated(uses, (n) => `&a${n} 1, *a${n},`)}]`,
      100,
      101,
      /refers to anchors more than 100 times/,
    ],
    [
      "levels of YAML",
      (depth) => `url: ${address}\na: ${"[".repeat(depth)}${"]".repeat(depth)}`,
      50,
      100_000,
      /nested too deeply/,
    ],
    [
      "YAML jobs",
      (jobs) => repeated(jobs, (n) => `url: ${address}${n}\n---\n`),
      1_000,
      1_001,
      /more than 1,000 addresses/,
    ],
    [
      "jobs of an archive",
      (jobs) =>
        JSON.stringify({
          watchglass: 1,
          jobs: Array(jobs).fill({ ...ownJob, ignore: [], lookup: null, waitFor: null, headers: [] }),
        }),
      1_000,
      1_001,
      /more than 1,000 addresses/,
    ],
    [
      "groups of an archive",
      (groups) =>
        JSON.stringify({ watchglass: 1, jobs: [], groups: Array(groups).fill({ name: "g", settings: {} }) }),
      200,
      201,
      "The archive has 201 groups; at most 200 are taken.",
    ],
    [
      "watches",
      (watches) =>
        JSON.stringify({ watching: Object.fromEntries(Array(watches).fill({ url: address }).entries()) }),
      1_000,
      1_001,
      /more than 1,000 addresses/,
    ],
    [
      "monitors",
      (monitors) => JSON.stringify({ data: Array(monitors).fill({ uri: address }) }),
      1_000,
      1_001,
      /more than 1,000 addresses/,
    ],
  ],
)(
  "as many %s as a file may have are read, more are refused in a sentence",
  async ([, make, size, beyond, says]) => {
    expect((await read(make(size))).format).not.toBe("");
    await expect(read(make(beyond))).rejects.toThrow(says);
  },
);

test("jobs that are no jobs are counted before they are judged", async () => {
  await expect(read(`{"watchglass":1,"jobs":[${"{},".repeat(150_000)}{}]}`)).rejects.toThrow(
    "The file has more than 1,000 addresses. Split it and import its parts.",
  );
  await expect(read('{"watchglass":1,"jobs":[{}]}')).rejects.toThrow(
    "The archive is not whole: jobs.0.name.",
  );
});

test("YAML says where it is wrong; equal keys are wrong, versions and ends of documents are not", async () => {
  await expect(read(`url: ${address}\n---\nurl: ${address}\nfilter: [a`)).rejects.toThrow(
    /^The YAML of job 2 cannot be read: .* \(line 3 of the job\)\.$/,
  );
  await expect(read(`url: ${address}\nheaders: {A: 1, A: 2}`)).rejects.toThrow("It has the same key twice.");
  const { drafts } = await read(`%YAML 1.2\n---\nurl: ${address}1\n...\n---\nurl: ${address}2\n--- \n`);
  expect(drafts.map(({ url }) => url)).toEqual([`${address}1`, `${address}2`]);
});

const long = "x".repeat(1_000_000);
test.for<[string, string]>([
  [
    "a column in every row",
    `url,${repeated(90, (n) => `column ${n} ${"x".repeat(900)},`)}\n${repeated(1_000, (n) => `${address}${n}\n`)}`,
  ],
  [
    "a long tag in every watch",
    JSON.stringify({
      watching: Object.fromEntries(
        Array(1_000)
          .fill({ url: address, tags: Array(100).fill("t") })
          .entries(),
      ),
      settings: { application: { tags: { t: { title: long } } } },
    }),
  ],
  [
    "an anchor in every key",
    `url: ${address}\na: &a ${"x".repeat(200_000)}\nfilter: [${repeated(19, () => "{css: *a},")}]`,
  ],
  [
    "long texts everywhere",
    JSON.stringify({
      watching: {
        a: {
          url: long,
          title: long,
          include_filters: [long],
          ignore_text: Array(1_000).fill("y"),
          trigger_text: [long],
          headers: { [long]: long },
          body: long,
          method: "POST",
          proxy: long,
        },
      },
    }),
  ],
  [
    "settings of any shape",
    JSON.stringify({
      watchglass: 1,
      jobs: [
        {
          ...ownJob,
          ignore: [],
          lookup: null,
          waitFor: null,
          headers: [],
          alertIf: { a: long },
          values: [long],
          request: { body: long },
        },
      ],
      groups: [{ name: long, settings: { a: long } }],
      paces: { a: long, email: { b: long } },
      templates: { email: { text: long } },
    }),
  ],
])("what is read of a file with %s is small", async ([, text]) => {
  const file = await read(text);
  const each = JSON.stringify(file).length / Math.max(1, file.drafts.length);
  expect(each).toBeLessThan(200_000);
  expect(JSON.stringify(file).length).toBeLessThan(10_000_000);
});

test("what is too long is still refused as a new job's is, and settings that are none are told", async () => {
  const { drafts } = await read(
    JSON.stringify({
      watchglass: 1,
      jobs: [
        { ...ownJob, ignore: [], lookup: null, waitFor: null, headers: [], selector: "a".repeat(5_000) },
        {
          ...ownJob,
          ignore: Array(60).fill("b"),
          lookup: null,
          waitFor: null,
          headers: [],
          schedule: { zone: 1 },
        },
      ],
    }),
  );
  expect(drafts[0]?.selector?.length).toBeGreaterThan(1_000);
  expect(drafts[1]).toMatchObject({ problem: "schedule.zone: Say in which time zone.", rest: {} });
  expect(drafts[1]?.ignore.length).toBe(51);
});
