// What rules leave of the picture: layout around the chosen part is no change, another look of the part is.
import sharp from "sharp";
import { type Answer, alerted, type Scenario, same } from "../../scenario.ts";
import { byRule, page, type RuleRow } from "./by-rule.ts";

const styled = (style: string, body: string) =>
  page(`<style>body{font:16px/1.5 sans-serif;margin:16px}${style}</style>${body}`);
const table = "table{border-collapse:collapse}td{border:1px solid #999;padding:4px 10px}";
const cells = (...texts: string[]) =>
  styled(table, `<table><tr>${texts.map((text) => `<td>${text}</td>`).join("")}</tr></table>`);
const counter = (visitors: string) =>
  styled(
    "",
    `<h1>Harbour office</h1><p>We have seen <b class=count>${visitors}</b> visitors on this page since we opened the
     office in the old customs house, and hope to see you too one of these days.</p>`,
  );
const columns = (aside: string) =>
  styled(
    ".row{display:flex;gap:24px}.offer{padding:12px;background:#eef}",
    `<div class=row><div class=side>${aside}</div><div class=offer><h2>Copper watering can</h2>
     <p>The long spout reaches the back of every greenhouse shelf, and the rose comes off for <a href="/pots">watering
     pots one by one</a>.</p><button>Put it into the basket</button></div></div>`,
  );
const centered = (head: string) =>
  styled(
    ".box{display:inline-block;text-align:center;border:1px solid #888}",
    `<div class=box><p class=head>${head}</p><p class=state>Open from nine to five, on Sundays until noon</p></div>`,
  );
const paragraphs = [
  "First of all somebody said a thing that nobody had said before.",
  "Then another one said something else, and everybody listened.",
  "In the end all went home again, since it had begun to rain.",
];
const paragraphsIn = (...order: number[]) =>
  styled("", order.map((at) => `<p>${paragraphs[at]}</p>`).join(""));
const floating = (width: number) =>
  styled(
    ".ad{float:left;margin:0 12px 8px 0;background:#fda}",
    `<div class=ad style="width:${width}px;height:60px"></div><p class=story>${paragraphs.join(" ")}</p>`,
  );
const light = (color: string, before = "") =>
  styled(
    ".light{display:inline-block;width:40px;height:40px}",
    `<p>${before}<i class=light style="background:${color}"></i></p><p>The state of line 4</p>`,
  );
const chart = (heights: number[], indent = 0) =>
  styled(
    "",
    `<canvas width=300 height=150 style="margin-left:${indent}px"></canvas><script>
     const pen = document.querySelector("canvas").getContext("2d");
     [${heights.join(",")}].forEach((height, at) => pen.fillRect(10 + at * 24, 140 - height, 18, height));</script>`,
  );

const dot = async (color: string): Promise<Answer> => ({
  body: await sharp({ create: { width: 12, height: 12, channels: 3, background: color } })
    .png()
    .toBuffer(),
  type: "image/png",
});
const [red, green] = [await dot("#c02020"), await dot("#20a040")];
const image = (src: string) =>
  styled("", `<p>State: <img id=state src="${src}" width=12 height=12 alt=""></p>`);

/** A photo: no two of its pixels are alike, so that nothing can be split on it. */
const photo = async (seed: number): Promise<Answer> => {
  const [width, height] = [640, 260];
  let state = seed;
  const pixels = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    return (
      110 + 50 * Math.sin((x + seed) / 70 + (at % 3)) + 40 * Math.cos((y * seed) / 90) + ((state >>> 16) % 24)
    );
  });
  const body = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return { body, type: "image/png" };
};
const [harbor, market] = [await photo(7), await photo(23)];
const heroStyle = `.hero{position:relative;width:640px;height:260px;color:#fff;overflow:hidden}
  .hero>img{position:absolute;inset:0;width:640px;height:260px}.over{position:absolute;left:24px;top:24px;display:flex;gap:20px}
  .behind{background:url(/harbor.png)}`;
const heroOf = (inner: string, src: string | null = "/harbor.png") =>
  styled(
    heroStyle,
    `<p>The harbour in pictures</p><div class="hero${src ? "" : " behind"}">${src ? `<img src="${src}" alt="">` : ""}
     <div class=over>${inner}</div></div><p>Below the picture</p>`,
  );
const visitors = (count: string) => `<p>We had <b class=count>${count}</b> visitors today</p>`;
const beside = (words: string, style = "") =>
  `<p class=side>${words}</p><h2 class=head style="margin:0;${style}">The old pier opens again</h2>`;
const offer = (side: string, src = "/harbor.png") =>
  styled(
    ".row{display:flex;width:900px}.side{white-space:nowrap}.offer{flex:1}.offer img{width:100%;display:block}",
    `<div class=row><p class=side>${side}</p><div class=offer><h2>The harbour</h2><img src="${src}" alt=""></div></div>`,
  );

/** Words and parts that lie over a photo, where pixels say nothing about them alone. */
const photos: RuleRow[] = [
  [
    "an ignored counter over a photo gets wider",
    { ignore: [".count"] },
    [heroOf(visitors("9")), heroOf(visitors("1,204,877"))],
    same,
  ],
  [
    "an ignored counter over a background image gets wider",
    { ignore: [".count"] },
    [heroOf(visitors("9"), null), heroOf(visitors("1,204,877"), null)],
    same,
  ],
  [
    "a pattern ignores words over a photo",
    { ignore: ["/had .* visitors/"] },
    [heroOf(visitors("9")), heroOf(visitors("1,204,877"))],
    same,
  ],
  [
    "a chosen headline moves over a photo",
    { selector: ".head" },
    [heroOf(beside("News")), heroOf(beside("News from the islands"))],
    same,
  ],
  [
    "a chosen headline moves over a background image",
    { selector: ".head" },
    [heroOf(beside("News"), null), heroOf(beside("News from the islands"), null)],
    same,
  ],
  [
    "the photo behind a chosen headline is another one",
    { selector: ".head" },
    [heroOf(beside("News")), heroOf(beside("News"), "/market.png")],
    same,
  ],
  [
    "a chosen headline over a photo turns red",
    { selector: ".head" },
    [heroOf(beside("News")), heroOf(beside("News", "background:#c22"))],
    alerted(["Looks"]),
  ],
  [
    "a chosen photo gets less room from its neighbor",
    { selector: ".offer" },
    [offer("News"), offer("News from the harbour and the islands")],
    same,
  ],
  [
    "a chosen photo is another one",
    { selector: ".offer" },
    [offer("News"), offer("News", "/market.png")],
    alerted(["market.png"]),
  ],
  [
    "a chosen photo gets less room and is another one",
    { selector: ".offer" },
    [offer("News"), offer("News from the harbour and the islands", "/market.png")],
    alerted(["market.png"]),
  ],
  [
    "a photo under an ignored counter is another one",
    { ignore: [".count"] },
    [heroOf(visitors("9")), heroOf(visitors("12"), "/market.png")],
    alerted(),
  ],
];

const layout: RuleRow[] = [
  [
    "a cell whose neighbors get wider",
    { selector: "xpath:(//td)[2]" },
    [cells("1", "stays as it is", "2"), cells("a much longer text than before", "stays as it is", "17")],
    same,
  ],
  [
    "an ignored counter in a line gets wider",
    { ignore: [".count"] },
    [counter("9"), counter("1,204,877")],
    same,
  ],
  [
    "an ignored counter in the chosen part gets wider",
    { selector: "p", ignore: [".count"] },
    [counter("9"), counter("1,204,877")],
    same,
  ],
  [
    "a pattern ignores words that get longer",
    { ignore: ["/seen .* visitors/"] },
    [counter("9"), counter("1,204,877")],
    same,
  ],
  [
    "chosen paragraphs in another order",
    { selector: "p" },
    [paragraphsIn(0, 1, 2), paragraphsIn(2, 0, 1)],
    same,
  ],
  [
    "a neighbor in a flex row gets wider",
    { selector: ".offer" },
    [columns("News"), columns("News from the harbour and all the islands around it")],
    same,
  ],
  [
    "an ignored neighbor in a flex row gets wider",
    { ignore: [".side"] },
    [columns("News"), columns("News from the harbour and all the islands around it")],
    same,
  ],
  ["a floating neighbor gets wider", { selector: ".story" }, [floating(80), floating(300)], same],
  ["an ignored floating box gets wider", { ignore: [".ad"] }, [floating(80), floating(300)], same],
  [
    "a centered line whose box gets wider",
    { selector: ".state" },
    [centered("News"), centered("Everything that has happened in the harbour and on the islands this week")],
    same,
  ],
  [
    "a leading space goes",
    { selector: "pre" },
    [styled("", "<pre> Words of a poem</pre>"), styled("", "<pre>Words of a poem</pre>")],
    same,
  ],
];

const looks: RuleRow[] = [
  ["a chosen light turns red", { selector: ".light" }, [light("#2a4"), light("#c22")], alerted(["Looks"])],
  ["a chosen light moves", { selector: ".light" }, [light("#2a4"), light("#2a4", "Here it is: ")], same],
  [
    "a chosen chart has other bars",
    { selector: "canvas" },
    [chart([40, 80, 60, 90, 30]), chart([90, 20, 110, 10, 75])],
    alerted(["a drawing on the page"]),
  ],
  [
    "a chosen chart has the same bars in another order, and moves",
    { selector: "canvas" },
    [chart([20, 50, 80, 110, 140]), chart([140, 110, 80, 50, 20], 40)],
    alerted(["a drawing on the page"]),
  ],
];

const images: Scenario[] = [
  ...byRule("rules: picture", (body) => body, [
    [
      "a chosen image has another address",
      { selector: "#state" },
      [image("/green.png"), image("/red.png")],
      alerted(["red.png"]),
    ],
  ]).map((scenario) => ({ ...scenario, files: { "/green.png": [green], "/red.png": [red] } })),
  ...byRule("rules: picture", (body) => body, [
    [
      "a chosen image has the same address and looks different",
      { selector: "#state" },
      [image("/state.png"), image("/state.png")],
      alerted(["state.png"]),
    ],
  ]).map((scenario) => ({ ...scenario, files: { "/state.png": [green, red] } })),
];

const onPhotos = byRule("rules: picture", (body) => body, photos).map((scenario) => ({
  ...scenario,
  files: { "/harbor.png": [harbor], "/market.png": [market] },
}));

export const drawnRules: Scenario[] = [
  ...byRule("rules: picture", (body) => body, [...layout, ...looks]),
  ...images,
  ...onPhotos,
].map((scenario) => ({ ...scenario, needs: "engine" as const }));
