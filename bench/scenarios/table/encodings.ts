// Text in any encoding, packed in any way, with any bytes.
import { office, shop } from "../page.ts";
import { type Answer, rows, type Scenario, same, told } from "../scenario.ts";

const text = (body: string): Answer => ({ body, type: "text/plain; charset=utf-8" });
const latin = (line: string, charset: string): Answer => ({
  body: Buffer.from(line, "latin1"),
  type: `text/html${charset}`,
});
const inLatin = (text: string, meta = "") =>
  `<!doctype html><html><head>${meta}<title>Caf\u00e9</title></head><body><main><p>Le caf\u00e9 est tr\u00e8s bon et l'\u00e9t\u00e9 est pass\u00e9, d\u00e9j\u00e0.</p><p>${text}</p></main></body></html>`;
const two = (make: (word: string) => Answer, type = told()): Pick<Scenario, "serves" | "expect"> => ({
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
    name: "Latin-1 by header",
    ...two((word) => latin(inLatin(word), "; charset=iso-8859-1"), told(["dès"])),
  },
  {
    class: "encoding",
    name: "Latin-1 by meta",
    ...two((word) => latin(inLatin(word, '<meta charset="iso-8859-1">'), ""), told(["dès"])),
  },
  {
    class: "encoding",
    name: "Latin-1 by nothing",
    ...two((word) => latin(inLatin(word), ""), told(["dès"])),
  },
  {
    class: "encoding",
    name: "UTF-8 by nothing",
    ...two((word) => ({ body: inLatin(word), type: "text/html" }), told(["dès"])),
  },
  {
    class: "encoding",
    name: "UTF-8 text by nothing",
    ...two((word) => ({ body: `L'atelier est ${word}\n`, type: "text/plain" }), told(["dès"])),
  },
  { class: "encoding", name: "UTF-16 by its mark", ...two(utf16, told(["dès"])) },
  {
    class: "encoding",
    name: "Latin-1 CSV by nothing",
    ...two(
      (word) => ({
        body: Buffer.from(
          `ville,\u00e9tat\nLi\u00e8ge,${word}\nN\u00eemes,ferm\u00e9\nB\u00e9ziers,ferm\u00e9\n`,
          "latin1",
        ),
        type: "text/csv",
      }),
      told(["dès"]),
    ),
  },
  {
    class: "encoding",
    name: "XML by its prolog",
    ...two(
      (word) => ({
        body: Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?><a><b>${word}</b></a>`, "latin1"),
        type: "text/xml",
      }),
      told(["dès"]),
    ),
  },
  {
    class: "encoding",
    name: "JSON with a mark",
    ...two(
      (word) => ({ body: Buffer.from(`\ufeff{"etat":"${word}"}`), type: "application/json" }),
      told(["dès"]),
    ),
  },
  {
    class: "encoding",
    name: "Shift-JIS by meta",
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
    expect: [told(["本"])],
  },
  {
    class: "encoding",
    name: "the same page in another encoding",
    serves: [
      latin(inLatin("ferm\u00e9"), "; charset=iso-8859-1"),
      { body: inLatin("ferm\u00e9"), type: "text/html; charset=utf-8" },
    ],
    expect: [same],
  },
].map((scenario) => ({ ...scenario, needs: "engine" as const }));

const packed = (["gzip", "br", "zstd", "deflate"] as const).flatMap((pack) => [
  {
    class: "encoding",
    name: `page packed by ${pack}`,
    serves: ["full", "free"].map((word) => ({ body: office(`<p>The hall is ${word}.</p>`), pack })),
    expect: [told(["free"])],
    needs: "engine" as const,
  },
  {
    class: "encoding",
    name: `JSON packed by ${pack}`,
    serves: ["full", "free"].map((word) => ({ body: `{"hall":"${word}"}`, type: "application/json", pack })),
    expect: [told(["free"])],
    needs: "engine" as const,
  },
]);

const bytes = [
  ...rows("bytes", text, told(["after"]), [
    ["a NUL in text", "name\0one\nbefore\n", "name\0one\nafter\n"],
    ["control characters", "\x01\x02 before\n", "\x01\x02 after\n"],
  ]),
  ...rows("bytes", (word) => shop(`<p>Batch \0 number: ${word}</p>`), told(["after"]), [
    ["a NUL in a page", "before", "after"],
  ]),
  ...rows(
    "bytes",
    (word) => ({ body: `{"name":"\\ud800 ${word}"}`, type: "application/json" }),
    told(["after"]),
    [["a lone surrogate in JSON", "before", "after"]],
  ),
  ...rows(
    "bytes",
    (word) => ({ body: `{"name":"nul \\u0000 ${word}"}`, type: "application/json" }),
    told(["after"]),
    [["a NUL in JSON", "before", "after"]],
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
    told(["after"]),
    [["bytes that are no UTF-8", "before", "after"]],
  ),
  ...rows("bytes", (word) => shop(`<p>Ba\ud800tch ${word}</p>`), told(["after"]), [
    ["a lone surrogate in a page", "before", "after"],
  ]),
  ...rows(
    "bytes",
    (word) => ({
      body: Buffer.concat([Buffer.from([0, 1, 2, 3, 250]), Buffer.from(word)]),
      type: "application/octet-stream",
    }),
    told(),
    [["any bytes", "aaaa", "bbbb"]],
  ),
  ...rows("bytes", (word) => shop(`<p>${word}</p>`), same, [
    ["soft hyphens come", "Donaudampfschiff", "Donau&shy;dampf&shy;schiff"],
    ["zero-width spaces go", "a\u200bb\u200cc words", "abc words"],
    ["composed and decomposed", "Caf\u00e9 \u00e0 la carte", "Cafe\u0301 a\u0300 la carte"],
    ["a joiner at the end", "words\ufeff", "words"],
    ["spaces that do not break", "5 kg of sand", "5\u00a0kg of sand"],
    ["entities for letters", "R&D caf\u00e9", "R&amp;D caf&eacute;"],
    ["white space in the source", "one two three", "one   two\n\tthree"],
  ]),
  ...rows("bytes", (word) => ({ body: `first line\n${word}\nlast line\n`, type: "text/plain" }), same, [
    ["composed and decomposed in a file", "Caf\u00e9", "Cafe\u0301"],
    ["a mark at the start of a file", "\u200bwords", "words"],
  ]),
];

export const encodings: Scenario[] = [...charsets, ...packed, ...bytes];
