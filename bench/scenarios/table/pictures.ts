// Pictures: as targets, where any visible difference counts, and inside a page that otherwise stands.
import sharp from "sharp";
import { news, shop } from "../page.ts";
import { type Answer, type Scenario, same, told } from "../scenario.ts";

/** Bars on white: a picture that can differ by a single one. */
async function bars(heights: number[], colour = "#20507a", comment = ""): Promise<Answer> {
  const drawn = heights.map(
    (height, at) =>
      `<rect x="${10 + at * 24}" y="${190 - height}" width="18" height="${height}" fill="${colour}"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200" fill="#fff"/>${drawn.join("")}</svg>`;
  const image = sharp(Buffer.from(svg));
  const png = await (comment ? image.withExif({ IFD0: { ImageDescription: comment } }) : image)
    .png()
    .toBuffer();
  return { body: png, type: "image/png" };
}

const [week, dayMore, allMore, redone, commented, digit] = await Promise.all([
  bars([40, 80, 60, 90, 30, 70, 50]),
  bars([40, 80, 60, 90, 30, 70, 56]),
  bars([140, 180, 160, 20, 130, 10, 150]),
  bars([40, 80, 60, 90, 30, 70, 50], "#a03020"),
  bars([40, 80, 60, 90, 30, 70, 50], "#20507a", "saved again"),
  bars([40, 80, 60, 90, 30, 70, 50, 3]),
]);

const target = (name: string, before: Answer, after: Answer, is = told()): Scenario => ({
  class: "picture",
  name,
  path: "/chart.png",
  serves: [before, after],
  expect: [is],
  needs: "engine",
});
const inside = (name: string, before: Answer, after: Answer, is = told()): Scenario => ({
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
const flat = (colour: string) =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: colour } })
    .png()
    .toBuffer();

export const pictures: Scenario[] = [
  target("a bar grows a little", week, dayMore),
  target("a tiny mark comes", week, digit),
  target("all of it is another", week, allMore),
  target("another colour", week, redone),
  target("only its description", week, commented, { is: "seen" }),
  { ...target("an SVG's words", svg("Open"), svg("Closed"), told(["Closed"])), path: "/chart.svg" },
  {
    class: "picture",
    name: "alt of a picture whose file is missing",
    serves: ["In stock", "Sold out"].map((alt) => shop(`<p><img src="/state.png" alt="${alt}"></p>`)),
    files: { "/state.png": [{ status: 404, body: "", type: "text/plain" }] },
    expect: [told(["Sold out"])],
    needs: "engine",
  },
  {
    class: "picture",
    name: "alt of a picture with a size whose file is missing",
    serves: ["In stock", "Sold out"].map((alt) =>
      shop(`<p><img src="/state.png" width="80" height="40" alt="${alt}"></p>`),
    ),
    files: { "/state.png": [{ status: 404, body: "", type: "text/plain" }] },
    expect: [told(["Sold out"])],
    needs: "engine",
  },
  inside("a picture exchanged in a page", week, allMore),
  inside("a picture in a page stands", week, week, same),
  {
    class: "picture",
    name: "another picture file in a page",
    serves: ["/can.png", "/broken-can.png"].map((src) =>
      news(`<img src="${src}" width="400" height="300" alt="">`),
    ),
    files: {
      "/can.png": [{ body: await flat("#3060a0"), type: "image/png" }],
      "/broken-can.png": [{ body: await flat("#c02020"), type: "image/png" }],
    },
    expect: [told()],
    needs: "engine",
  },
];
