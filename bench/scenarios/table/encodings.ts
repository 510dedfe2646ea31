// Text in various encodings, compressed in various ways, with unusual bytes.
import { office, shop } from "../page.ts";
import { type Answer, alerted, rows, type Scenario, same } from "../scenario.ts";

const text = (body: string): Answer => ({ body, type: "text/plain; charset=utf-8" });
const latin = (line: string, charset: string): Answer => ({
  body: Buffer.from(line, "latin1"),
  type: `text/html${charset}`,
});
const inLatin = (text: string, meta = "") =>
  `<!doctype html><html><head>${meta}<title>Caf\u00e9</title></head><body><main><p>Le caf\u00e9 est tr\u00e8s bon et l'\u00e9t\u00e9 est pass\u00e9, d\u00e9j\u00e0.</p><p>${text}</p></main></body></html>`;
const wordChange = (
  make: (word: string) => Answer,
  type = alerted(),
): Pick<Scenario, "serves" | "expect"> => ({
  serves: [make("ferm\u00e9"), make("ouvert d\u00e8s lundi")],
  expect: [type],
});
const utf16 = (word: string): Answer => ({
  body: Buffer.from(`\ufeffL'atelier est ${word}\n`, "utf16le"),
  type: "text/plain",
});
const sjis = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea];

const charsets: Scenario[] = [
  {
    class: "encoding",
    name: "Latin-1 declared by the header",
    ...wordChange((word) => latin(inLatin(word), "; charset=iso-8859-1"), alerted(["dès"])),
  },
  {
    class: "encoding",
    name: "Latin-1 declared by a meta element",
    ...wordChange((word) => latin(inLatin(word, '<meta charset="iso-8859-1">'), ""), alerted(["dès"])),
  },
  {
    class: "encoding",
    name: "Latin-1 without a declaration",
    ...wordChange((word) => latin(inLatin(word), ""), alerted(["dès"])),
  },
  {
    class: "encoding",
    name: "UTF-8 without a declaration",
    ...wordChange((word) => ({ body: inLatin(word), type: "text/html" }), alerted(["dès"])),
  },
  {
    class: "encoding",
    name: "UTF-8 plain text without a declaration",
    ...wordChange((word) => ({ body: `L'atelier est ${word}\n`, type: "text/plain" }), alerted(["dès"])),
  },
  {
    class: "encoding",
    name: "UTF-16 declared by its byte order mark",
    ...wordChange(utf16, alerted(["dès"])),
  },
  {
    class: "encoding",
    name: "Latin-1 CSV without a declaration",
    ...wordChange(
      (word) => ({
        body: Buffer.from(
          `ville,\u00e9tat\nLi\u00e8ge,${word}\nN\u00eemes,ferm\u00e9\nB\u00e9ziers,ferm\u00e9\n`,
          "latin1",
        ),
        type: "text/csv",
      }),
      alerted(["dès"]),
    ),
  },
  {
    class: "encoding",
    name: "Latin-1 XML declared by its prolog",
    ...wordChange(
      (word) => ({
        body: Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?><a><b>${word}</b></a>`, "latin1"),
        type: "text/xml",
      }),
      alerted(["dès"]),
    ),
  },
  {
    class: "encoding",
    name: "JSON with a byte order mark",
    ...wordChange(
      (word) => ({ body: Buffer.from(`\ufeff{"etat":"${word}"}`), type: "application/json" }),
      alerted(["dès"]),
    ),
  },
  {
    class: "encoding",
    name: "Shift-JIS declared by a meta element",
    serves: [1, 2].map((at) => ({
      type: "text/html",
      body: Buffer.concat([
        Buffer.from(
          '<!doctype html><html><head><meta charset="shift_jis"><title>t</title></head><body><main><p>',
        ),
        Buffer.from(sjis.slice(0, at * 2)),
        Buffer.from("</p><p>A page in another alphabet that stands as it is.</p></main></body></html>"),
      ]),
    })),
    expect: [alerted(["本"])],
  },
  {
    class: "encoding",
    name: "only the encoding of a page changes",
    serves: [
      latin(inLatin("ferm\u00e9"), "; charset=iso-8859-1"),
      { body: inLatin("ferm\u00e9"), type: "text/html; charset=utf-8" },
    ],
    expect: [same],
  },
].map((scenario) => ({ ...scenario, needs: "engine" as const }));

const compressed = (["gzip", "br", "zstd", "deflate"] as const).flatMap((pack) => [
  {
    class: "encoding",
    name: `a page compressed with ${pack}`,
    serves: ["full", "free"].map((word) => ({ body: office(`<p>The hall is ${word}.</p>`), pack })),
    expect: [alerted(["free"])],
    needs: "engine" as const,
  },
  {
    class: "encoding",
    name: `JSON compressed with ${pack}`,
    serves: ["full", "free"].map((word) => ({ body: `{"hall":"${word}"}`, type: "application/json", pack })),
    expect: [alerted(["free"])],
    needs: "engine" as const,
  },
]);

const bytes = [
  ...rows("bytes", text, alerted(["after"]), [
    ["text with a NUL character changes", "name\0one\nbefore\n", "name\0one\nafter\n"],
    ["text with control characters changes", "\x01\x02 before\n", "\x01\x02 after\n"],
  ]),
  ...rows("bytes", (word) => shop(`<p>Batch \0 number: ${word}</p>`), alerted(["after"]), [
    ["a page with a NUL character changes", "before", "after"],
  ]),
  ...rows(
    "bytes",
    (word) => ({ body: `{"name":"\\ud800 ${word}"}`, type: "application/json" }),
    alerted(["after"]),
    [["JSON with a lone surrogate changes", "before", "after"]],
  ),
  ...rows(
    "bytes",
    (word) => ({ body: `{"name":"nul \\u0000 ${word}"}`, type: "application/json" }),
    alerted(["after"]),
    [["JSON with a NUL character changes", "before", "after"]],
  ),
  ...rows(
    "bytes",
    (word) => ({
      body: Buffer.concat([
        Buffer.from("plain words here \n"),
        Buffer.from([0xc3, 0x28, 0xff]),
        Buffer.from(`\n${word}\n`),
      ]),
      type: "text/plain; charset=utf-8",
    }),
    alerted(["after"]),
    [["text with invalid UTF-8 bytes changes", "before", "after"]],
  ),
  ...rows("bytes", (word) => shop(`<p>Ba\ud800tch ${word}</p>`), alerted(["after"]), [
    ["a page with a lone surrogate changes", "before", "after"],
  ]),
  ...rows(
    "bytes",
    (word) => ({
      body: Buffer.concat([Buffer.from([0, 1, 2, 3, 250]), Buffer.from(word)]),
      type: "application/octet-stream",
    }),
    alerted(),
    [["binary content changes", "aaaa", "bbbb"]],
  ),
  ...rows("bytes", (word) => shop(`<p>${word}</p>`), same, [
    ["only soft hyphens are added", "Donaudampfschiff", "Donau&shy;dampf&shy;schiff"],
    ["only zero-width characters are removed", "a\u200bb\u200cc words", "abc words"],
    ["composed characters become decomposed", "Caf\u00e9 \u00e0 la carte", "Cafe\u0301 a\u0300 la carte"],
    ["a zero-width no-break space at the end is removed", "words\ufeff", "words"],
    ["a space becomes a non-breaking space", "5 kg of sand", "5\u00a0kg of sand"],
    ["characters become entities", "R&D caf\u00e9", "R&amp;D caf&eacute;"],
    ["only white space in the source changes", "one two three", "one   two\n\tthree"],
  ]),
  ...rows("bytes", (word) => ({ body: `first line\n${word}\nlast line\n`, type: "text/plain" }), same, [
    ["composed characters in a file become decomposed", "Caf\u00e9", "Cafe\u0301"],
    ["a zero-width space in a file is removed", "\u200bwords", "words"],
  ]),
];

export const encodings: Scenario[] = [...charsets, ...compressed, ...bytes];
