// Transfers that fail, text that comes late and pages that are large.
import { news, office } from "../page.ts";
import { type Answer, failed, one, type Scenario, same, told } from "../scenario.ts";

const engine = (...given: Parameters<typeof one>): Scenario => ({ ...one(...given), needs: "engine" });
const text = (body: string, more: Answer = {}): Answer => ({ body, type: "text/plain", ...more });
const json = (body: string, more: Answer = {}): Answer => ({ body, type: "application/json", ...more });
const file = `${"a line of a longer file\n".repeat(200)}the end\n`;

const cuts = (["length", "chunked"] as const).flatMap((cut) => [
  engine(
    "transfer",
    `a page cut short (${cut})`,
    [news(""), { body: news(""), cut }, news("")],
    failed(),
    same,
  ),
  engine(
    "transfer",
    `a text cut short (${cut})`,
    [text(file), text(file, { cut }), text(file)],
    failed(),
    same,
  ),
  engine(
    "transfer",
    `JSON cut short (${cut})`,
    [json(`{"a":[${"1,".repeat(500)}2]}`), json(`{"a":[${"1,".repeat(500)}2]}`, { cut })],
    failed(),
  ),
]);

const broken = [
  engine("transfer", "an empty answer under 200", [news(""), { body: "" }], told()),
  engine(
    "transfer",
    "packed bytes that are none",
    [text("hello\n"), { ...text("hello\n"), headers: { "content-encoding": "gzip" } }],
    failed(),
  ),
  engine("transfer", "a redirect that never ends", [news(""), { location: "/page" }], failed()),
];

const late = (ms: number, code: string) =>
  office(
    `<p id="late">Please wait</p><script>setTimeout(()=>{document.getElementById("late").textContent="${code}"},${ms})</script>`,
  );
const arriving = [
  engine(
    "late",
    "text after a second",
    [late(1000, "The hall is full"), late(1000, "The hall is free")],
    told(["free"]),
  ),
  engine(
    "late",
    "text after three seconds",
    [late(3000, "The hall is full"), late(3000, "The hall is free")],
    told(["free"]),
  ),
  engine(
    "late",
    "text after four and a half seconds",
    [late(4500, "The hall is full"), late(4500, "The hall is free")],
    told(["free"]),
  ),
  engine(
    "late",
    "text drawn by a script",
    ["full", "free"].map((word) =>
      office(`<p id="x"></p><script>document.getElementById("x").textContent="The hall is ${word}"</script>`),
    ),
    told(["free"]),
  ),
  engine(
    "late",
    "text fetched by a script",
    ["full", "free"].map(() =>
      office(
        '<p id="x"></p><script>fetch("/state.json").then(r=>r.json()).then(s=>{document.getElementById("x").textContent=s.hall})</script>',
      ),
    ),
    told(["The hall is free"]),
  ),
  engine(
    "late",
    "text in a shadow root",
    ["full", "free"].map((word) =>
      office(
        `<hall-state></hall-state><script>customElements.define("hall-state",class extends HTMLElement{connectedCallback(){this.attachShadow({mode:"open"}).innerHTML="<p>The hall is ${word}</p>"}})</script>`,
      ),
    ),
    told(["free"]),
  ),
  engine(
    "late",
    "text in a frame",
    ["full", "free"].map((word) =>
      office(`<iframe width="400" height="90" srcdoc="<p>The hall is ${word}</p>"></iframe>`),
    ),
    told(["free"]),
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
    "20,000 paragraphs",
    [paragraphs(20_000, "The bell rings at six"), paragraphs(20_000, "The bell rings at nine")],
    told(["nine"]),
  ),
  engine(
    "large",
    "60,000 paragraphs",
    [paragraphs(60_000, "The bell rings at six"), paragraphs(60_000, "The bell rings at nine")],
    told(["nine"]),
  ),
  {
    ...engine(
      "large",
      "a text of 5 MB",
      ["six", "nine"].map((word) =>
        text(`${"The register of the harbour is kept by hand\n".repeat(120_000)}The bell rings at ${word}\n`),
      ),
      told(["nine"]),
    ),
    needs: "engine",
  },
];

export const transfers: Scenario[] = [...cuts, ...broken, ...arriving, ...large];
