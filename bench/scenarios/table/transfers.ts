// Transfers that fail, text that appears late and pages that are large.
import { news, office } from "../page.ts";
import { type Answer, alerted, failed, one, type Scenario, same } from "../scenario.ts";

const engine = (...args: Parameters<typeof one>): Scenario => ({ ...one(...args), needs: "engine" });
const text = (body: string, more: Answer = {}): Answer => ({ body, type: "text/plain", ...more });
const json = (body: string, more: Answer = {}): Answer => ({ body, type: "application/json", ...more });
const file = `${"a line of a longer file\n".repeat(200)}the end\n`;

const cuts = (["length", "chunked"] as const).flatMap((cut) => [
  engine(
    "transfer",
    `the transfer of a page is cut short (${cut})`,
    [news(""), { body: news(""), cut }, news("")],
    failed(),
    same,
  ),
  engine(
    "transfer",
    `the transfer of a text is cut short (${cut})`,
    [text(file), text(file, { cut }), text(file)],
    failed(),
    same,
  ),
  engine(
    "transfer",
    `the transfer of JSON is cut short (${cut})`,
    [json(`{"a":[${"1,".repeat(500)}2]}`), json(`{"a":[${"1,".repeat(500)}2]}`, { cut })],
    failed(),
  ),
]);

const broken = [
  engine("transfer", "a page becomes an empty response with status 200", [news(""), { body: "" }], failed()),
  engine(
    "transfer",
    "a response claims to be gzip but is not compressed",
    [text("hello\n"), { ...text("hello\n"), headers: { "content-encoding": "gzip" } }],
    failed(),
  ),
  engine("transfer", "a page redirects to itself without end", [news(""), { location: "/page" }], failed()),
];

const late = (ms: number, code: string) =>
  office(
    `<p id="late">Please wait</p><script>setTimeout(()=>{document.getElementById("late").textContent="${code}"},${ms})</script>`,
  );
const lateTexts = [
  engine(
    "late",
    "text that appears after one second changes",
    [late(1000, "The hall is full"), late(1000, "The hall is free")],
    alerted(["free"]),
  ),
  engine(
    "late",
    "text that appears after three seconds changes",
    [late(3000, "The hall is full"), late(3000, "The hall is free")],
    alerted(["free"]),
  ),
  engine(
    "late",
    "text that appears after four and a half seconds changes",
    [late(4500, "The hall is full"), late(4500, "The hall is free")],
    alerted(["free"]),
  ),
  engine(
    "late",
    "text written by a script changes",
    ["full", "free"].map((word) =>
      office(`<p id="x"></p><script>document.getElementById("x").textContent="The hall is ${word}"</script>`),
    ),
    alerted(["free"]),
  ),
  engine(
    "late",
    "text fetched by a script changes",
    ["full", "free"].map(() =>
      office(
        '<p id="x"></p><script>fetch("/state.json").then(r=>r.json()).then(s=>{document.getElementById("x").textContent=s.hall})</script>',
      ),
    ),
    alerted(["The hall is free"]),
  ),
  engine(
    "late",
    "text in a shadow root changes",
    ["full", "free"].map((word) =>
      office(
        `<hall-state></hall-state><script>customElements.define("hall-state",class extends HTMLElement{connectedCallback(){this.attachShadow({mode:"open"}).innerHTML="<p>The hall is ${word}</p>"}})</script>`,
      ),
    ),
    alerted(["free"]),
  ),
  engine(
    "late",
    "text in an iframe changes",
    ["full", "free"].map((word) =>
      office(`<iframe width="400" height="90" srcdoc="<p>The hall is ${word}</p>"></iframe>`),
    ),
    alerted(["free"]),
  ),
].map((scenario) => ({
  ...scenario,
  ...(scenario.name.includes("fetched") && {
    files: { "/state.json": [json('{"hall":"The hall is full"}'), json('{"hall":"The hall is free"}')] },
  }),
}));

const paragraphs = (count: number, middle: string) =>
  news(
    Array.from({ length: count }, (_, i) => `<p>Entry ${i} of the register was made by hand ${i * 7}</p>`)
      .toSpliced(count / 2, 0, `<p>${middle}</p>`)
      .join("\n"),
  );
const large: Scenario[] = [
  engine(
    "large",
    "one of 20,000 paragraphs changes",
    [paragraphs(20_000, "The bell rings at six"), paragraphs(20_000, "The bell rings at nine")],
    alerted(["nine"]),
  ),
  engine(
    "large",
    "one of 60,000 paragraphs changes",
    [paragraphs(60_000, "The bell rings at six"), paragraphs(60_000, "The bell rings at nine")],
    alerted(["nine"]),
  ),
  {
    ...engine(
      "large",
      "one line of a 5 MB text changes",
      ["six", "nine"].map((word) =>
        text(`${"The register of the harbour is kept by hand\n".repeat(120_000)}The bell rings at ${word}\n`),
      ),
      alerted(["nine"]),
    ),
    needs: "engine",
  },
];

export const transfers: Scenario[] = [...cuts, ...broken, ...lateTexts, ...large];
