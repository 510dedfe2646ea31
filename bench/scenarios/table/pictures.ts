// Pictures: as targets, where any visible difference counts, and inside a page that is otherwise unchanged.
import sharp from "sharp";
import { news, shop } from "../page.ts";
import { type Answer, alerted, type Scenario, same } from "../scenario.ts";

/** Bars on white: a picture that can differ by a single bar. */
async function bars(heights: number[], color = "#20507a", comment = ""): Promise<Answer> {
  const drawn = heights.map(
    (height, at) =>
      `<rect x="${10 + at * 24}" y="${190 - height}" width="18" height="${height}" fill="${color}"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200" fill="#fff"/>${drawn.join("")}</svg>`;
  const image = sharp(Buffer.from(svg));
  const png = await (comment ? image.withExif({ IFD0: { ImageDescription: comment } }) : image)
    .png()
    .toBuffer();
  return { body: png, type: "image/png" };
}

const [chart, oneBarTaller, allBarsChanged, otherColor, otherDescription, tinyBarAdded] = await Promise.all([
  bars([40, 80, 60, 90, 30, 70, 50]),
  bars([40, 80, 60, 90, 30, 70, 56]),
  bars([140, 180, 160, 20, 130, 10, 150]),
  bars([40, 80, 60, 90, 30, 70, 50], "#a03020"),
  bars([40, 80, 60, 90, 30, 70, 50], "#20507a", "saved again"),
  bars([40, 80, 60, 90, 30, 70, 50, 3]),
]);

const target = (name: string, before: Answer, after: Answer, is = alerted()): Scenario => ({
  class: "picture",
  name,
  path: "/chart.png",
  serves: [before, after],
  expect: [is],
  needs: "engine",
});
const inPage = (name: string, before: Answer, after: Answer, is = alerted()): Scenario => ({
  class: "picture",
  name,
  serves: [0, 1].map(() => shop('<p><img src="/chart.png" width="400" height="200" alt="Sales by day"></p>')),
  files: { "/chart.png": [before, after] },
  expect: [is],
  needs: "engine",
});

const svg = (word: string): Answer => ({
  type: "image/svg+xml",
  body: `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><text x="5" y="25">${word}</text></svg>`,
});
const flat = (color: string) =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: color } })
    .png()
    .toBuffer();

export const pictures: Scenario[] = [
  target("a bar of a chart grows a little", chart, oneBarTaller),
  target("a tiny mark is added", chart, tinyBarAdded),
  target("the whole picture changes", chart, allBarsChanged),
  target("the color of the bars changes", chart, otherColor),
  target("only the description in the picture's metadata changes", chart, otherDescription, {
    is: "notLost",
  }),
  {
    ...target("the text of an SVG changes", svg("Open"), svg("Closed"), alerted(["Closed"])),
    path: "/chart.svg",
  },
  {
    class: "picture",
    name: "the alt text of a picture whose file is missing changes",
    serves: ["In stock", "Sold out"].map((alt) => shop(`<p><img src="/state.png" alt="${alt}"></p>`)),
    files: { "/state.png": [{ status: 404, body: "", type: "text/plain" }] },
    expect: [alerted(["Sold out"])],
    needs: "engine",
  },
  {
    class: "picture",
    name: "the alt text of a sized picture whose file is missing changes",
    serves: ["In stock", "Sold out"].map((alt) =>
      shop(`<p><img src="/state.png" width="80" height="40" alt="${alt}"></p>`),
    ),
    files: { "/state.png": [{ status: 404, body: "", type: "text/plain" }] },
    expect: [alerted(["Sold out"])],
    needs: "engine",
  },
  inPage("the file of a picture in a page changes", chart, allBarsChanged),
  inPage("a picture in a page stays the same", chart, chart, same),
  {
    class: "picture",
    name: "a page uses another picture file",
    serves: ["/can.png", "/broken-can.png"].map((src) =>
      news(`<img src="${src}" width="400" height="300" alt="">`),
    ),
    files: {
      "/can.png": [{ body: await flat("#3060a0"), type: "image/png" }],
      "/broken-can.png": [{ body: await flat("#c02020"), type: "image/png" }],
    },
    expect: [alerted()],
    needs: "engine",
  },
];
