// Feeds, JSON, text files and other types of content.
import { office } from "../page.ts";
import { type Answer, alerted, flip, lines, noise, rows, type Scenario, same } from "../scenario.ts";

const json = (body: string): Answer => ({ body, type: "application/json" });
const xml =
  (type: string) =>
  (items: string): Answer => ({
    type,
    body: `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Courier</title><link>%origin%/</link><description>News of the harbour</description>${items}<item><title>Pier opens</title><link>%origin%/pier</link><guid>1</guid></item></channel></rss>`,
  });
const item = (title: string, path: string) =>
  `<item><title>${title}</title><link>%origin%/${path}</link><guid>${path}</guid></item>`;
const text = (body: string): Answer => ({ body, type: "text/plain; charset=utf-8" });

const feeds = ["application/rss+xml", "text/xml", "text/html", "text/plain"].flatMap((type) =>
  rows("feed", xml(type), alerted(["Storm closes the harbour", "/storm"]), [
    [`a new item in a feed served as ${type}`, "", item("Storm closes the harbour", "storm")],
  ]),
);
const atom = (entries: string): Answer => ({
  type: "application/atom+xml",
  body: `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title><updated>2026-11-16T10:%digits:2%:00Z</updated><entry><title>v1.4.0</title><link href="%origin%/v1.4.0"/><id>a</id></entry>${entries}</feed>`,
});
const moreFeeds = [
  ...rows("feed", atom, alerted(["v1.5.0"]), [
    [
      "a new release in an Atom feed",
      "",
      '<entry><title>v1.5.0</title><link href="%origin%/v1.5.0"/><id>b</id></entry>',
    ],
  ]),
  ...rows("feed", atom, noise, [["only the feed's update time changes", "", ""]]),
  ...rows("feed", xml("application/rss+xml"), alerted(["Ferries run again"]), [
    ["the title of a feed item changes", item("Ferries stop", "ferry"), item("Ferries run again", "ferry")],
  ]),
  ...rows(
    "feed",
    (items) => ({
      type: "application/xml",
      body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%origin%/a</loc></url>${items}</urlset>`,
    }),
    alerted(["/hidden-launch"]),
    [["a sitemap lists a new page", "", "<url><loc>%origin%/hidden-launch</loc></url>"]],
    { path: "/sitemap.xml" },
  ),
];

const values = [
  ...lines("json", json, [
    ["a value changes", '{"version":"1.2.0","ok":true}', '{"version":"1.2.1","ok":true}'],
    ["a key is added", '{"a":1}', '{"a":1,"debug":true}'],
    [
      "an entry is added to a list",
      '[{"id":1,"name":"ana"}]',
      '[{"id":1,"name":"ana"},{"id":2,"name":"boris"}]',
    ],
    ["null becomes a value", '{"date":null}', '{"date":"2027-03-01"}'],
    [
      "a deeply nested value changes",
      '{"a":{"b":{"c":[1,2,{"d":"open"}]}}}',
      '{"a":{"b":{"c":[1,2,{"d":"shut"}]}}}',
    ],
    [
      "an integer too large for a double changes by one",
      '{"id":9007199254740993}',
      '{"id":9007199254740992}',
    ],
  ]),
  ...rows("json", json, alerted(), [
    ["a number becomes a string", '{"n":1}', '{"n":"1"}'],
    ["an entry is removed from a list", '["a","b","c"]', '["a","c"]'],
    ["a list becomes empty", '{"results":[{"id":1}]}', '{"results":[]}'],
  ]),
  ...rows("json", json, { is: "notLost" }, [["keys change their order", '{"a":1,"b":2}', '{"b":2,"a":1}']]),
  ...rows("json", json, same, [
    ["only white space changes", '{"a":1,"b":[1,2]}', '{\n  "a": 1,\n  "b": [1, 2]\n}'],
  ]),
  ...rows("json", json, noise, [
    [
      "only a request ID and a time change",
      '{"requestId":"%uuid%","time":%epoch%,"items":[1,2]}',
      '{"requestId":"%uuid%","time":%epoch%,"items":[1,2]}',
    ],
  ]),
  ...rows("json", (body) => ({ body, type: "text/plain" }), alerted(["1.2.1"]), [
    ["a value changes in JSON served as text", '{"version":"1.2.0"}', '{"version":"1.2.1"}'],
  ]),
  ...rows("json", (body) => ({ body, type: "text/html" }), alerted(["1.2.1"]), [
    ["a value changes in JSON served as HTML", '{"version":"1.2.0"}', '{"version":"1.2.1"}'],
  ]),
  ...rows("json", (body) => ({ body, type: "" }), alerted(["1.2.1"]), [
    ["a value changes in JSON served without a content type", '{"version":"1.2.0"}', '{"version":"1.2.1"}'],
  ]),
  ...rows(
    "json",
    (line) => ({ body: `{"n":1}\n{"n":2}\n${line}`, type: "application/x-ndjson" }),
    alerted(["new-host"]),
    [["a line is added to newline-delimited JSON", "", '{"n":3,"host":"new-host"}\n']],
  ),
];

const files = [
  ...lines("file", text, [
    ["a line of a text file changes", "one\ntwo\nthree\n", "one\n2\nthree\n"],
    ["a line is added to a text file", "one\ntwo\n", "one\ntwo\nthree\n"],
    ["a line is removed from a text file", "one\ntwo\nthree\n", "one\nthree\n"],
    [
      "one line of a large file changes",
      `${"line of the log\n".repeat(3000)}end 1\n`,
      `${"line of the log\n".repeat(3000)}end 2\n`,
    ],
    ["a value on an indented line changes", "a:\n  b: 1\n", "a:\n  b: 2\n"],
  ]),
  ...rows("file", text, { is: "notLost" }, [
    ["two lines swap places", "alpha\nbeta\ngamma\ndelta\n", "alpha\ngamma\nbeta\ndelta\n"],
  ]),
  ...rows("file", text, same, [["only the line endings change", "one\ntwo\n", "one\r\ntwo\r\n"]]),
  ...rows(
    "file",
    (body) => ({ body: `name,stock\nhose,4\n${body}\n`, type: "text/csv" }),
    alerted(["barrel,0"]),
    [["a row of a CSV file changes", "barrel,7", "barrel,0"]],
  ),
  ...rows(
    "file",
    (body) => ({ body: `body{margin:0}${body}`, type: "text/css" }),
    alerted(),
    [["a rule is added to a style sheet", "", ".banner{display:none}"]],
    { path: "/theme.css" },
  ),
  ...rows(
    "file",
    (body) =>
      office(`<pre>${Array.from({ length: 40 }, (_, i) => `host-${i} up`).join("\n")}\n${body}</pre>`),
    alerted(["host-99 down"]),
    [["a line of preformatted text changes", "host-99 up", "host-99 down"]],
  ),
];

const others = [
  ...rows(
    "file",
    (body) => ({ body: Buffer.from(body), type: "application/zip" }),
    alerted(),
    [["the bytes of an archive change", "PK\x03\x04aaaa", "PK\x03\x04bbbb"]],
    { path: "/a.zip" },
  ),
  ...rows(
    "file",
    (code) => ({ body: `"use strict";function price(n){return n*${code}}\n`, type: "text/javascript" }),
    alerted(["1.35"]),
    [["a number in a script changes", "1.25", "1.35"]],
    { path: "/price.js" },
  ),
  ...rows(
    "file",
    (hash) => ({
      body: `/*! build ${hash} */"use strict";function price(n){return n*2}\n//# sourceMappingURL=app.${hash}.js.map`,
      type: "text/javascript",
    }),
    noise,
    [["only the build ID of a script changes", "3f9c1ab27d", "b81e0d44c9"]],
    { path: "/app.js" },
  ),
  {
    class: "json",
    name: "values flip at every check",
    serves: flip(6, json('{"open":false,"count":0}'), json('{"open":true,"count":3}')),
    expect: [alerted()],
  },
] satisfies Scenario[];

export const content: Scenario[] = [...feeds, ...moreFeeds, ...values, ...files, ...others];
