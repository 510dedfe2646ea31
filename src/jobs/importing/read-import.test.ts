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
      /1001 addresses; at most 1000/,
    ],
  ] as const)
    await expect(read(text)).rejects.toThrow(sentence);
  await expect(readImport(Buffer.from([0xff, 0xfe, 0, 1]))).rejects.toThrow(
    "neither text in UTF-8 nor a ZIP",
  );
});
