import { expect, test } from "vitest";
import { type ZipEntry, zip } from "#zip/write-zip.ts";
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

test("a list of URLs is read with its names and without its remarks", async () => {
  const { format, drafts } = await read(
    "# mine\nhttps://a.example/x\nhttps://b.example/ The shop # later\n\n",
  );
  expect(format).toBe("list of URLs");
  expect(drafts.map(({ url, name }) => [url, name])).toEqual([
    ["https://a.example/x", ""],
    ["https://b.example/", "The shop"],
  ]);
});

test.each([
  ["a list", "file:///etc/passwd\nftp://files.example/a.txt\nSFTP://files.example/b"],
  ["a CSV", "url,name\nfile:///etc/passwd,a\nftp://files.example/a.txt,b\nsftp://files.example/b,c"],
  [
    "changedetection.io",
    JSON.stringify({
      watching: {
        a: { url: "file:///etc/passwd" },
        b: { url: "source:ftp://files.example/a.txt" },
        c: { url: "sftp://files.example/b" },
      },
    }),
  ],
])("files on a disk or an FTP server in %s are refused with a sentence", async (_, file) => {
  const { drafts } = await read(file);
  expect(drafts.map(({ problem }) => problem)).toEqual(
    Array(3).fill(
      "It watches a file on an FTP server or a disk. Here only web pages can be watched, by http or https.",
    ),
  );
});

test("a list of URLs with tags is read with its tags, also if its first line has some", async () => {
  const { format, drafts } = await read(
    `https://a.example/ news, client  A,\nhttps://b.example/ The shop\nhttps://c.example/ a,${"b".repeat(31)}\n`,
  );
  expect(format).toBe("list of URLs");
  expect(drafts).toMatchObject([
    { url: "https://a.example/", name: "", rest: { tags: ["news", "client A"] }, left: [] },
    { url: "https://b.example/", name: "The shop" },
    {
      rest: { tags: ["a"] },
      left: [`Left out, because a job has at most 10 tags of 30 characters: ${"b".repeat(31)}.`],
    },
  ]);
});

test("CSV columns are recognized by their headings, and unknown columns are reported", async () => {
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
    { name: "", group: null, frequency: null },
  ]);
  const frequencies = await read(
    "url,minutes\nhttps://a.example/,often\nhttps://b.example/,1.5\nhttps://c.example/,0\nhttps://d.example/,\n",
  );
  expect(frequencies.drafts.map(({ problem }) => problem)).toEqual([
    "The frequency “often” is not a whole number of minutes, from 1.",
    "The frequency “1.5” is not a whole number of minutes, from 1.",
    "The frequency “0” is not a whole number of minutes, from 1.",
    null,
  ]);
  await expect(read("a,b\n1,2\n")).rejects.toThrow("The CSV has no column called url.");
});

test("OPML outlines with children become groups, and a page's address is preferred to its feed's", async () => {
  const { drafts } = await read(`<?xml version="1.0"?><opml version="2.0"><body>
    <outline text="Security"><outline text="CERT" type="rss" xmlUrl="https://cert.example/feed" htmlUrl="https://cert.example/"/></outline>
    <outline text="Loose" xmlUrl="https://loose.example/feed"/></body></opml>`);
  expect(drafts.map(({ group, name, url }) => [group, name, url])).toEqual([
    ["Security", "CERT", "https://cert.example/"],
    [null, "Loose", "https://loose.example/feed"],
  ]);
  await expect(read("<html></html>")).rejects.toThrow("This isn’t OPML.");
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
  ["JSON file", async () => Buffer.from(JSON.stringify(store))],
  [
    "backup",
    () => pack({ "url-watches.json": JSON.stringify(store), "a/1700000000.txt": "old", "url-list.txt": "" }),
  ],
])("changedetection.io's %s is imported", async (_, make) => {
  const { format, drafts, channels } = await readImport(await make());
  expect(format).toBe("changedetection.io");
  expect(drafts[0]).toMatchObject({
    name: "Item",
    group: "Shops",
    frequency: 1560,
    paused: true,
    selector: ".price\nxpath://h1\njsonpath:$.stock\njq:.a",
    ignore: ["footer", '"people online"', "/\\d+ views/"],
    lookup: { strings: ["In stock"], when: "appears" },
    headers: [{ name: "X-Team", value: "blue" }],
    waitFor: { seconds: 15 },
    request: { method: "POST", as: "form", body: "a=1", userAgent: "curl/8", language: "" },
  });
  expect(drafts[0]?.left).toEqual([
    "A job can only be in one group: the tags Later are left out.",
    "It waited 40 seconds before the capture; at most 15 are possible.",
    "Browser steps aren’t supported.",
  ]);
  expect(drafts[1]).toMatchObject({ frequency: 180, group: null, selector: null });
  expect(channels).toEqual([
    "It sends notifications by “pover”, which isn’t supported.",
    "It sends notifications by Discord: set it up under BOT and Automations in the profile.",
  ]);
});

/** Reads one watch of changedetection.io, with global settings and tags. */
async function readWatch(watch: object, application: object = {}, settings: object = {}) {
  const file = {
    watching: { a: { url: "https://shop.example/", ...watch } },
    settings: { application, ...settings },
  };
  const { drafts, channels } = await read(JSON.stringify(file));
  return { draft: drafts[0], left: drafts[0]?.left, rest: drafts[0]?.rest, channels };
}
const price = (is: string, amount: number, percent = false) => ({
  what: "number",
  name: "price",
  is,
  amount,
  percent,
});

test.each<[string, object, object | null | undefined, string[]]>([
  [
    "restock and price changes",
    {
      processor: "restock_diff",
      restock_settings: { in_stock_processing: "in_stock_only", follow_price_changes: true },
    },
    { match: "any", conditions: [price("down", 0, true), price("up", 0, true)] },
    [],
  ],
  [
    "a price limit",
    { processor: "restock_diff", restock_settings: { price_change_min: 10, price_change_max: "20.5" } },
    { match: "any", conditions: [price("below", 10), price("above", 20.5)] },
    [],
  ],
  [
    "older fields",
    { processor: "restock_diff", in_stock_only: false, price_change_threshold_percent: 5 },
    { match: "any", conditions: [price("down", 5, true), price("up", 5, true)] },
    ["“All availability changes” is not kept: only back in stock is alerted."],
  ],
  [
    "restock alone",
    { processor: "restock_diff", restock_settings: { follow_price_changes: false } },
    { match: "all", conditions: [{ what: "reason", kinds: ["value"] }] },
    ["“Only back in stock” is not kept: going out of stock is alerted, too."],
  ],
  [
    "conditions",
    {
      conditions: [
        { field: "extracted_number", operator: ">", value: "10" },
        { field: "page_filtered_text", operator: "!in", value: "Sold out" },
        { field: "levenshtein_distance", operator: "<", value: "8" },
      ],
      conditions_match_logic: "ALL",
      text_should_not_be_present: ["Maintenance"],
      filter_text_removed: false,
      filter_text_replaced: false,
    },
    {
      match: "all",
      conditions: [
        { what: "number", name: "number", is: "above", amount: 10, percent: false },
        { what: "text", is: "absent", text: "Sold out" },
        { what: "text", is: "absent", text: "Maintenance" },
        { what: "only", is: "additions" },
      ],
    },
    ["The condition “levenshtein_distance < 8” isn’t supported."],
  ],
  [
    "any of several conditions",
    {
      conditions: [
        { field: "page_filtered_text", operator: "in", value: "A" },
        { field: "page_filtered_text", operator: "contains_regex", value: "b/c\\d" },
      ],
      conditions_match_logic: "ANY",
      filter_text_added: false,
      filter_text_replaced: false,
    },
    {
      match: "any",
      conditions: [
        { what: "text", is: "present", text: "A" },
        { what: "text", is: "present", text: "/b\\/c\\d/i" },
      ],
    },
    ["“Only removals” can't be combined with The conditions, and so left out."],
  ],
  [
    "the price in the page's data, and what can't be removed",
    { track_ldjson_price_data: "accepted", subtractive_selectors: ["nav", "jq:.a"] },
    undefined,
    [
      "“Remove elements” has “jq:.a”, which isn’t supported.",
      "“Track the price in the page's data” follows the price; other changes are alerted, too.",
    ],
  ],
  [
    "everything else is named",
    {
      notification_muted: true,
      check_unique_lines: true,
      notification_title: "Look: {{ watch_mime_type }}",
      a_new_setting: { deep: [1] },
      filter_text_added: true,
      proxy: "",
      fetch_backend: "extra_browser_x",
      last_checked: 5,
    },
    undefined,
    [
      "Its notifications were muted: here it sends alerts. Pause it, or give it conditions.",
      "“Only unique lines” isn’t supported.",
      "“a_new_setting” isn’t supported.",
      "“fetch_backend” (extra_browser_x) isn’t supported.",
      "Its message “Look: {{ watch_mime_type }}” is left out: {{ watch_mime_type }} isn’t a known placeholder.",
    ],
  ],
])("nothing of a watch of changedetection.io is lost silently: %s", async (_, watch, alertIf, left) => {
  const read = await readWatch(watch);
  expect(read.draft?.problem).toBeNull();
  expect([read.rest?.alertIf, read.left]).toEqual([alertIf, left]);
});

test("hours, tags and global filters of changedetection.io are imported, and notification addresses of tags named", async () => {
  const hours = (start: string, length: string, minutes = "00") => ({
    enabled: true,
    start_time: start,
    duration: { hours: length, minutes },
  });
  const off = { enabled: false };
  const week = { tuesday: off, wednesday: off, thursday: off, friday: off, saturday: off };
  const { draft, left, channels } = await readWatch(
    {
      tags: ["t"],
      include_filters: [".a"],
      headers: { "x-team": "red" },
      time_schedule_limit: {
        enabled: true,
        monday: hours("09:00", "2"),
        sunday: hours("22:00", "3", "30"),
        ...week,
      },
    },
    {
      tags: {
        t: {
          title: "Shops",
          include_filters: [".b"],
          ignore_text: ["visitors"],
          notification_urls: ["slack://a/b/c"],
          notification_muted: true,
        },
      },
      global_ignore_text: ["online now"],
      global_subtractive_selectors: ["footer"],
      scheduler_timezone_default: "Europe/Berlin",
      all_muted: true,
    },
    { headers: { "X-Team": "blue", "X-All": "1" } },
  );
  expect(draft).toMatchObject({
    selector: ".a\n.b",
    ignore: ['"visitors"', "footer", '"online now"'],
    headers: [
      { name: "X-All", value: "1" },
      { name: "x-team", value: "red" },
    ],
    rest: { schedule: { zone: "Europe/Berlin", week: [[0, 1, 9, 10], [], [], [], [], [], [22, 23]] } },
  });
  expect(left).toEqual([
    "The hours of the schedule are rounded to whole hours.",
    "Of the tag “Shops”, “notification_muted” isn’t supported.",
  ]);
  expect(channels).toEqual([
    "The global setting “all_muted” isn’t supported.",
    "It sends notifications by Slack: set it up under BOT and Automations in the profile.",
  ]);
});

test("Jinja in a URL and source: have their own sentences", async () => {
  const jinja = await readWatch({ url: "https://a.example/{% now 'UTC', '%Y' %}/" });
  expect(jinja.draft?.problem).toMatch(/^Its URL contains a Jinja expression/);
  const source = await readWatch({ url: "source:https://a.example/" });
  expect([source.draft?.url, source.draft?.problem]).toEqual(["https://a.example/", null]);
  expect([source.rest?.compareAs, source.left]).toEqual(["source", []]);
});

test("a watch of changedetection.io without an address, and unusual settings of its installation, are named", async () => {
  const usual = { fetch_backend: "html_requests", filter_failure_notification_threshold_attempts: 6 };
  expect(await readWatch({}, usual)).toMatchObject({ left: [], channels: [] });
  const unusual = { fetch_backend: "extra_browser_a", filter_failure_notification_threshold_attempts: 2 };
  const { draft, channels } = await readWatch({ url: null, title: "Nowhere" }, unusual);
  expect(draft).toMatchObject({ name: "Nowhere", url: "" });
  expect(channels).toEqual([
    "The global setting “fetch_backend” (extra_browser_a) isn’t supported.",
    "The global setting “filter_failure_notification_threshold_attempts” (2) isn’t supported.",
  ]);
});

test("long and many texts of changedetection.io's conditions are kept whole, or named", async () => {
  const long = "The lamp is in stock again. ".repeat(20).trim();
  const condition = (value: string) => [{ field: "page_filtered_text", operator: "in", value }];
  const whole = await readWatch({ conditions: condition(long) });
  expect(whole.rest?.alertIf?.conditions).toEqual([{ what: "text", is: "present", text: long }]);
  expect((await readWatch({ conditions: condition("x".repeat(1_001)) })).draft?.problem).toContain(
    "At most 1,000 characters.",
  );
  const blocking = Array.from({ length: 12 }, (_, at) => `Closed ${at}`);
  const { left, rest } = await readWatch({ text_should_not_be_present: blocking });
  expect(rest?.alertIf?.conditions).toHaveLength(10);
  expect(left).toEqual([
    "Of “Block change-detection while text matches”, all but the first 10 texts are left out: 2.",
  ]);
});

const noSteps = { do: "sort", text: "", to: "" };
test.each([
  [
    "what is done with the text",
    {
      extract_text: ["/v(\\d+)/i", "/rc\\d/i"],
      sort_text_alphabetically: true,
      remove_duplicate_lines: true,
      trim_text_whitespace: true,
    },
    {
      steps: [
        { do: "capture", text: "/v(\\d+)|rc\\d/i", to: "" },
        { ...noSteps, do: "trim" },
        { ...noSteps, do: "unique" },
        noSteps,
      ],
    },
  ],
  [
    "a plain text to extract",
    { extract_text: ["a.b"] },
    { steps: [{ do: "capture", text: "/a\\.b/i", to: "" }] },
  ],
  [
    "limits on words and similarity",
    {
      conditions: [
        { field: "word_count", operator: ">", value: "10" },
        { field: "levenshtein_ratio", operator: "<", value: "0.85" },
      ],
    },
    {
      alertIf: {
        match: "all",
        conditions: [
          { what: "size", of: "words", is: "above", amount: 10 },
          { what: "similarity", is: "below", amount: 85 },
        ],
      },
    },
  ],
  [
    "the message of the watch",
    { notification_title: "{{ watch_title }}!", notification_body: "{{diff_full}}\n{{ base_url }}" },
    { message: { title: "{{title}}!", text: "{{diff.full}}\n{{base}}" } },
  ],
])("changedetection.io's newer rules are imported: %s", async (_, watch, rest) => {
  const read = await readWatch(watch);
  expect([read.rest, read.left, read.draft?.problem]).toEqual([rest, [], null]);
});

test("the message of a tag or of the whole installation counts for its watches, the usual one doesn't", async () => {
  const usual = "{{watch_url}} had a change.\n---\n{{diff}}\n---\n";
  expect((await readWatch({}, { notification_body: usual })).rest).toEqual({});
  const global = { notification_body: "All: {{diff_added}}" };
  expect((await readWatch({}, global)).rest?.message).toEqual({ title: "", text: "All: {{added}}" });
  const tags = { t: { title: "T", notification_body: "Tag: {{diff_removed}}" } };
  const { rest, left } = await readWatch({ tags: ["t"] }, { ...global, tags });
  expect([rest?.message?.text, left]).toEqual(["Tag: {{removed}}", []]);
});

test("filters of urlwatch and webchanges that work on lines become steps, in their order", async () => {
  const { drafts } = await read(`url: https://a.example/
filter:
  - css: main
  - keep_lines_containing: {re: 'v/\\d'}
  - re.sub: {pattern: '(\\d+) ago', repl: '\\1'}
  - sort: {reverse: true, separator: ","}
  - remove_repeated
  - re.findall: '(\\w+)-\\d'
  - re.findall: {pattern: '(\\w+)=(\\d+)', repl: '\\g<2> of \\1'}
  - jq: {query: .a}
---
url: https://b.example/
filter: grep:^x,remove-duplicate-lines,reverse
---
url: ftp://files.example/a.txt
---
url: file:///etc/hosts
`);
  expect(drafts).toMatchObject([
    {
      selector: "main\njq:.a",
      rest: {
        steps: [
          { do: "keep", text: "/v\\/\\d/" },
          { do: "replace", text: "/(\\d+) ago/", to: "$1" },
          { do: "sort" },
          { do: "reverse" },
          { do: "repeated" },
          { do: "capture", text: "/(\\w+)-\\d/", to: "$0" },
          { do: "capture", text: "/(\\w+)=(\\d+)/", to: "$2 of $1" },
        ],
      },
      left: ["Of the filter “sort”, “separator” isn’t supported."],
    },
    { rest: { steps: [{ do: "keep", text: "/^x/" }, { do: "unique" }, { do: "reverse" }] }, left: [] },
    { problem: expect.stringMatching(/^It watches a file on an FTP server or a disk\./) },
    { problem: expect.stringMatching(/^It watches a file on an FTP server or a disk\./) },
  ]);
});

test("changedetection.io's newer backups, with a file for each watch, are imported", async () => {
  const { drafts } = await readImport(
    await pack({
      "changedetection.json": JSON.stringify({ settings: store.settings }),
      "0b-1/watch.json": JSON.stringify(store.watching.a),
    }),
  );
  expect(drafts).toMatchObject([{ name: "Item", group: "Shops" }]);
});

test("urlwatch and webchanges jobs are imported from several documents, with filters mapped to ours", async () => {
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
note: For the team
user_visible_url: https://shop.example/seen
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
      left: [
        "“max_tries” (3) isn’t supported.",
        "“user_visible_url” (https://shop.example/seen) isn’t supported.",
        "The filter “shellpipe” is left out. Watchglass doesn’t run commands: a server that runs its users’ commands is not our product.",
      ],
      rest: { note: "For the team" },
    },
    { url: "https://app.example/", selector: "#main", waitFor: { selector: "#ready" }, left: [] },
    {
      url: "",
      left: [],
      problem: expect.stringMatching(/^It watches what a command prints\. Watchglass doesn’t run commands/),
    },
  ]);
});

test("filters of urlwatch in any notation are read, and a selector with options to wait for is named", async () => {
  const { drafts } = await read(`url: https://a.example/
filter: {css: main, grepi: visitors}
wait_for_selector: {selector: main, state: visible}
---
url: https://b.example/
filter: [{css: main, element-by-id: x}, nonsense]
`);
  expect(drafts).toMatchObject([
    { selector: "main", left: ["“wait_for_selector” with options isn’t supported."] },
    { selector: "main\n#x", left: ["The filter “nonsense” isn’t supported."] },
  ]);
  expect(JSON.stringify(drafts[0])).toContain("visitors");
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
  ["method: DELETE", { method: "DELETE", userAgent: "", language: "" }, []],
  [
    "method: TRACE",
    null,
    ["The method TRACE is left out: pages are requested by GET, POST, PUT, PATCH, DELETE, OPTIONS, HEAD."],
  ],
  ["user_agent: Lynx", { method: "GET", userAgent: "Lynx", language: "" }, []],
])("urlwatch's request settings are imported: %s", async (lines, request, left) => {
  const { drafts } = await read(`url: https://shop.example/\n${lines}\n`);
  expect(drafts).toMatchObject([{ request, headers: [], left }]);
});

test("Distill's JSON inside JSON is imported", async () => {
  const config = {
    ignoreEmptyText: true,
    dataAttr: "text",
    selections: [
      {
        delay: 3,
        dynamic: true,
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
          actions: [{ type: "sound" }],
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
      left: [
        "“actions” isn’t supported.",
        "“ignoreEmptyText” isn’t supported.",
        "“dataAttr” (text) isn’t supported.",
        "Of a selection, “dynamic” isn’t supported.",
        "A job can only be in one group: the tags Later are left out.",
      ],
    },
  ]);
});

test("what can't be read of a Distill monitor is named, and a wait that is cut, too", async () => {
  const unread = { name: "A", uri: "https://a.example/", config: "{", schedule: "[1]", rules: 7 };
  const slow = {
    uri: "https://b.example/",
    config: { selections: [{ delay: 40 }] },
    schedule: "",
    rules: "[]",
  };
  const { drafts } = await read(JSON.stringify({ client: {}, data: [unread, slow] }));
  expect(drafts).toMatchObject([
    {
      left: ["config", "schedule", "rules"].map((name) => `“${name}” can’t be read and is left out.`),
      problem: null,
    },
    {
      left: ["It waited 40 seconds before the capture; at most 15 are possible."],
      waitFor: { seconds: 15 },
    },
  ]);
});

test("malicious and invalid files are refused with an explanation", async () => {
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
  const forgedZip = Buffer.from(await pack({ "url-watches.json": JSON.stringify(store) }));
  const at = forgedZip.lastIndexOf(Buffer.from("PK\u0001\u0002", "latin1"));
  forgedZip.writeUInt32LE(5, at + 24);
  await expect(readImport(forgedZip)).rejects.toThrow(/^(The ZIP cannot be read|A file in the ZIP)/);
  forgedZip.writeUInt32LE(0xffff_fff0, at + 24);
  await expect(readImport(forgedZip)).rejects.toThrow("larger than 1 GiB unpacked");
  for (const [text, sentence] of [
    ["", "The file is empty."],
    ["{", "The file looks like JSON, but isn’t valid JSON."],
    ['{"a":1}', "This JSON isn’t an export of Watchglass, changedetection.io or Distill."],
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
const withKeys = (entry: object, count: number) =>
  Object.assign(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1])), entry);
const ownJob = {
  name: "a",
  url: address,
  group: "g",
  frequencyMinutes: 60,
  status: "ACTIVE",
  selector: null,
};

/** For each limit, the largest file that is accepted and one that is too large. */
test.for<
  [what: string, make: (size: number) => string, size: number, tooLarge: number, message: string | RegExp]
>([
  [
    "lines of a list",
    (lines) => `${address}\n${repeated(lines - 1, () => "# a remark\n")}${address}x`,
    19_999,
    20_000,
    "The list has 20,001 lines; at most 20,000 are read. Split the file and import its parts.",
  ],
  [
    "lines with remarks",
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
    "length of a row",
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
    "The OPML is nested too deeply: at most 50 levels are read.",
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
  [
    "settings of a monitor",
    (settings) => JSON.stringify({ data: [withKeys({ uri: address }, settings - 1)] }),
    1_000,
    150_000,
    "An entry of the file has more than 1,000 settings.",
  ],
  [
    "settings of a watch",
    (settings) => JSON.stringify({ watching: { a: withKeys({ url: address }, settings - 1) } }),
    1_000,
    1_001,
    "An entry of the file has more than 1,000 settings.",
  ],
  [
    "settings of a tag",
    (settings) =>
      JSON.stringify({
        watching: { a: { url: address, tags: ["t"] } },
        settings: { application: { tags: { t: withKeys({}, settings) } } },
      }),
    1_000,
    1_001,
    "An entry of the file has more than 1,000 settings.",
  ],
  [
    "levels of JSON",
    // Text made of such a value would exhaust the stack.
    (depth) =>
      `{"watching":{"a":{"url":"${address}","headers":{"a":${"[".repeat(depth - 4)}${"]".repeat(depth - 4)}}}}}`,
    100,
    100_000,
    "The file is nested too deeply: at most 100 levels are read.",
  ],
  [
    "levels of JSON inside JSON",
    (depth) =>
      JSON.stringify({
        data: [{ uri: address, rules: `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}` }],
      }),
    100,
    102,
    "The file is nested too deeply: at most 100 levels are read.",
  ],
  [
    "rules that all watches share",
    (length) =>
      JSON.stringify({
        watching: Object.fromEntries(
          Array(1_000)
            .fill({ url: address, tags: ["t"] })
            .entries(),
        ),
        settings: {
          application: {
            tags: { t: { ignore_text: repeated(50, (n) => `${n}${"x".repeat(length)} `).split(" ") } },
          },
        },
      }),
    300,
    500,
    /^The jobs in the file are larger than 20 MiB, with the settings that they share\./,
  ],
  [
    "bytes of a text",
    (length) => `${address} ${"x".repeat(length - address.length - 1)}`,
    10 * 1024 ** 2,
    10 * 1024 ** 2 + 1,
    "The file is larger than 10 MiB.",
  ],
])(
  "a file at the limit for %s is read, and one beyond it is refused with an explanation",
  async ([, make, size, tooLarge, message]) => {
    expect((await read(make(size))).format).not.toBe("");
    await expect(read(make(tooLarge))).rejects.toThrow(message);
  },
);

test("a watch with many tags, and settings named like what every object inherits, become notes", async () => {
  const tagIds = repeated(25, (n) => `t${n} `)
    .trim()
    .split(" ");
  const tags = Object.fromEntries(tagIds.map((id) => [id, { ignore_text: [`rule ${id}`] }]));
  const { draft, left } = await readWatch({ tags: tagIds, constructor: 1, toString: true }, { tags });
  expect(draft?.ignore).toHaveLength(20);
  expect(left).toEqual([
    "It has 25 tags: the rules of the first 20 are read.",
    expect.stringMatching(/^A job can only be in one group: the tags t1, t2, .* t24 are left out\.$/),
    "“constructor” (1) isn’t supported.",
    "“toString” isn’t supported.",
  ]);
  const many = await readWatch(withKeys({}, 40));
  expect(many.left).toHaveLength(31);
  expect(many.left?.at(-1)).toBe("10 more things in the file aren’t supported.");
});

test("the jobs of an archive are counted before they are validated", async () => {
  await expect(read(`{"watchglass":1,"jobs":[${"{},".repeat(150_000)}{}]}`)).rejects.toThrow(
    "The file has more than 1,000 addresses. Split it and import its parts.",
  );
  await expect(read('{"watchglass":1,"jobs":[{}]}')).rejects.toThrow(
    "The archive is incomplete: jobs.0.name.",
  );
});

test("a YAML error names its line; duplicate keys are errors, version lines and document ends aren't", async () => {
  await expect(read(`url: ${address}\n---\nurl: ${address}\nfilter: [a`)).rejects.toThrow(
    /^The YAML of job 2 cannot be read: .* \(line 3 of the job\)\.$/,
  );
  await expect(read(`url: ${address}\nheaders: {A: 1, A: 2}`)).rejects.toThrow("It has the same key twice.");
  // Lines that only begin like a version aren't tried in every combination: forty took minutes.
  await expect(read(`${"%".repeat(40)}\nx\n---\nurl: ${address}\n`)).rejects.toThrow(
    /^The YAML of job 1 cannot be read/,
  );
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
])("the data read from a file with %s stays small", async ([, text]) => {
  const file = await read(text);
  const each = JSON.stringify(file).length / Math.max(1, file.drafts.length);
  expect(each).toBeLessThan(200_000);
  expect(JSON.stringify(file).length).toBeLessThan(10_000_000);
});

test("overlong values are cut to a length that new jobs still refuse, and invalid settings are reported", async () => {
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
  expect(drafts[1]).toMatchObject({ problem: "schedule.zone: Choose a time zone.", rest: {} });
  expect(drafts[1]?.ignore.length).toBe(51);
});
