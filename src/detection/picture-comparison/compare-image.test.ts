import fc from "fast-check";
import { expect, test } from "vitest";
import { compareImage, type Image } from "./compare-image.ts";

type Paint = (x: number, y: number) => number;

function image(width: number, height: number, paint: Paint, channels = 4): Image {
  const data = new Uint8Array(width * height * channels).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = paint(x, y);
      const at = (y * width + x) * channels;
      data[at] = color >> 16;
      data[at + 1] = (color >> 8) & 255;
      data[at + 2] = color & 255;
    }
  }
  return { width, height, data };
}

const noise = (x: number, y: number, seed = 1): number => {
  let h = Math.imul(x + 1, 0x9e3779b1) ^ Math.imul(y + 1, 0x85ebca6b) ^ Math.imul(seed, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) & 0xffffff;
};

/** White, with a line of "text" 10 rows high every 20 rows from column 10 to 180. */
const page: Paint = (x, y) => (y % 20 < 10 && x >= 10 && x < 180 ? noise(x >> 1, y) : 0xffffff);
const WIDTH = 200;
const HEIGHT = 600;

test("finds nothing in a picture compared with itself", () => {
  expect(compareImage(image(WIDTH, HEIGHT, page), image(WIDTH, HEIGHT, page))).toEqual({
    similarity: 100,
    regions: [],
  });
});

test("compares RGB with RGBA", () => {
  expect(compareImage(image(33, 40, page, 3), image(33, 40, page, 4))).toEqual({
    similarity: 100,
    regions: [],
  });
});

test("reports a page shifted by 100 px as 100 inserted rows and nothing else", () => {
  const shifted: Paint = (x, y) => (y < 100 ? 0x336699 : page(x, y - 100));
  expect(compareImage(image(WIDTH, HEIGHT, page), image(WIDTH, HEIGHT + 100, shifted))).toEqual({
    similarity: 86.31,
    regions: [{ kind: "added", old: null, new: { x: 0, y: 0, width: WIDTH, height: 100 } }],
  });
});

test("an empty end of the page that grows or shrinks is no region, one with content is", () => {
  const short = image(WIDTH, HEIGHT, page);
  const empty: Paint = (x, y) => (y < HEIGHT ? page(x, y) : 0xffffff);
  const long = image(WIDTH, HEIGHT + 200, empty);
  expect([compareImage(short, long).regions, compareImage(long, short).regions]).toEqual([[], []]);
  const footer: Paint = (x, y) => (y < HEIGHT + 150 ? empty(x, y) : 0x336699);
  expect(compareImage(short, image(WIDTH, HEIGHT + 200, footer)).regions).toMatchObject([{ kind: "added" }]);
  // Of an image file every row counts.
  expect(compareImage(short, long, true).regions).toHaveLength(1);
});

test("reports rows removed from the middle", () => {
  const cut: Paint = (x, y) => page(x, y < 240 ? y : y + 60);
  expect(compareImage(image(WIDTH, HEIGHT, page), image(WIDTH, HEIGHT - 60, cut)).regions).toEqual([
    { kind: "removed", old: { x: 0, y: 240, width: WIDTH, height: 60 }, new: null },
  ]);
});

test("recognizes a shifted gradient despite different dithering", () => {
  const gradient: Paint = (x, y) => {
    const level = 100 + Math.floor(y / 8) + (noise(x, y, 3) % 2);
    return (level << 16) | (level << 8) | level;
  };
  const redithered: Paint = (x, y) => {
    if (y < 100) return 0x0000ff;
    const level = 100 + Math.floor((y - 100) / 8) + (noise(x, y, 4) % 2);
    return (level << 16) | (level << 8) | level;
  };
  expect(compareImage(image(WIDTH, 400, gradient), image(WIDTH, 500, redithered)).regions).toEqual([
    { kind: "added", old: null, new: { x: 0, y: 0, width: WIDTH, height: 100 } },
  ]);
});

test("draws one tight box around one changed word", () => {
  const edited: Paint = (x, y) =>
    y >= 200 && y < 210 && x >= 50 && x < 90 ? noise(x >> 1, y, 9) : page(x, y);
  const { similarity, regions } = compareImage(image(WIDTH, HEIGHT, page), image(WIDTH, HEIGHT, edited));
  expect(regions).toEqual([
    {
      kind: "changed",
      old: { x: 50, y: 200, width: 40, height: 10 },
      new: { x: 50, y: 200, width: 40, height: 10 },
    },
  ]);
  expect(similarity).toBe(99.24);
});

test("reports a change separately from the rows inserted above it", () => {
  const both: Paint = (x, y) => {
    if (y < 40) return 0x112233;
    return y >= 340 && y < 350 && x >= 20 && x < 60 ? 0xff0000 : page(x, y - 40);
  };
  expect(compareImage(image(WIDTH, HEIGHT, page), image(WIDTH, HEIGHT + 40, both)).regions).toEqual([
    { kind: "added", old: null, new: { x: 0, y: 0, width: WIDTH, height: 40 } },
    {
      kind: "changed",
      old: { x: 20, y: 300, width: 40, height: 10 },
      new: { x: 20, y: 340, width: 40, height: 10 },
    },
  ]);
});

test("reports a removed line of text as one removal, whatever blank rows surround it", () => {
  // Lines of 16 rows with 2 blank ones, paragraphs of three lines with 23 blank rows after them.
  const paragraphs = (...lines: (number | null)[]): Paint => {
    const rows: [number, number][] = lines.flatMap((seed, i) => [
      ...(seed === null ? [] : Array.from({ length: 16 }, (_, y): [number, number] => [seed, y])),
      ...(seed === null ? [] : [[0, 0] as [number, number], [0, 0] as [number, number]]),
      ...(i % 3 === 2 ? Array.from({ length: 23 }, (): [number, number] => [0, 0]) : []),
    ]);
    return (x, y) => {
      const [seed, row] = rows[y] ?? [0, 0];
      return seed > 0 && x >= 10 && x < 180 ? noise(x >> 1, row, seed) : 0xffffff;
    };
  };
  const before = image(WIDTH, 300, paragraphs(1, 2, 3, 4, 5, 6, 7, 8, 9));
  const after = image(WIDTH, 282, paragraphs(1, 20, null, 4, 5, 6, 7, 8, 9));
  expect(compareImage(before, after).regions).toEqual([
    {
      kind: "changed",
      old: { x: 10, y: 18, width: 170, height: 16 },
      new: { x: 10, y: 18, width: 170, height: 16 },
    },
    { kind: "removed", old: { x: 0, y: 34, width: WIDTH, height: 18 }, new: null },
  ]);
});

test("aligns by the unchanged columns when a sidebar changes in every row", () => {
  const withBar =
    (seed: number, insert: number): Paint =>
    (x, y) => {
      if (x >= 160) return noise(x, y, seed);
      if (y >= 200 && y < 200 + insert) return 0x00aa00;
      return page(x, y < 200 ? y : y - insert);
    };
  const { regions } = compareImage(
    image(WIDTH, HEIGHT, withBar(5, 0)),
    image(WIDTH, HEIGHT + 60, withBar(6, 60)),
  );
  expect(regions.map((region) => [region.kind, region.new?.x, region.new?.y, region.new?.height])).toEqual([
    ["changed", 160, 0, 200],
    ["added", 0, 200, 60],
    ["changed", 160, 260, 400],
  ]);
});

test("reports a block in a new position as moved", () => {
  const reordered: Paint = (x, y) => {
    if (y < 100) return page(x, y + 400);
    if (y < 500) return page(x, y - 100);
    return page(x, y);
  };
  const { similarity, regions } = compareImage(image(WIDTH, HEIGHT, page), image(WIDTH, HEIGHT, reordered));
  expect(regions).toEqual([
    {
      kind: "moved",
      old: { x: 0, y: 400, width: WIDTH, height: 100 },
      new: { x: 0, y: 0, width: WIDTH, height: 100 },
    },
  ]);
  expect(similarity).toBe(91.66);
});

test("ignores shifted anti-aliasing and tiny color differences", () => {
  const edge =
    (shade: number): Paint =>
    (x) =>
      x < 50 ? 0x000000 : x === 50 ? shade : 0xffffff;
  expect(compareImage(image(100, 50, edge(0x404040)), image(100, 50, edge(0xa0a0a0)))).toEqual({
    similarity: 100,
    regions: [],
  });
  expect(
    compareImage(
      image(100, 50, () => 0x808080),
      image(100, 50, () => 0x828182),
    ).similarity,
  ).toBe(100);
});

test("finds a single changed pixel", () => {
  const dot: Paint = (x, y) => (x === 150 && y === 333 ? 0xff0000 : 0xffffff);
  const { similarity, regions } = compareImage(
    image(WIDTH, HEIGHT, () => 0xffffff),
    image(WIDTH, HEIGHT, dot),
  );
  expect(regions).toEqual([
    {
      kind: "changed",
      old: { x: 150, y: 333, width: 1, height: 1 },
      new: { x: 150, y: 333, width: 1, height: 1 },
    },
  ]);
  expect(similarity).toBeLessThan(100);
});

test("reports the new columns of a wider picture", () => {
  expect(compareImage(image(100, 80, page), image(120, 80, page)).regions).toEqual([
    { kind: "added", old: null, new: { x: 100, y: 0, width: 20, height: 80 } },
    ...compareImage(image(100, 80, page), image(100, 80, page)).regions,
  ]);
});

test("similarity is 0 if nothing matches and 100 for two empty pictures", () => {
  const black = image(64, 64, () => 0);
  const white = image(64, 64, () => 0xffffff);
  expect(compareImage(black, white).similarity).toBe(0);
  expect(
    compareImage(
      image(0, 0, () => 0),
      image(0, 0, () => 0),
    ).similarity,
  ).toBe(100);
});

test("refuses a picture whose bytes do not fit its size", () => {
  expect(() => compareImage({ width: 2, height: 2, data: new Uint8Array(5) }, image(2, 2, page))).toThrow(
    "cannot have 5 bytes",
  );
});

test("similarity is symmetric, and swapping the pictures mirrors the regions", () => {
  const block = fc.record({ height: fc.integer({ min: 1, max: 30 }), seed: fc.integer({ min: 0, max: 5 }) });
  const blocks = fc.array(block, { minLength: 1, maxLength: 8 });
  const draw = (parts: { height: number; seed: number }[]): Image => {
    const rows = parts.flatMap(({ height, seed }) =>
      Array.from({ length: height }, (_, y) => [y, seed] as const),
    );
    return image(40, rows.length, (x, y) => {
      const [row, seed] = rows[y]!;
      return seed === 0 ? 0xffffff : noise(x, row, seed);
    });
  };
  const swap = { added: "removed", removed: "added", changed: "changed", moved: "moved" } as const;
  fc.assert(
    fc.property(blocks, blocks, (leftParts, rightParts) => {
      const [left, right] = [draw(leftParts), draw(rightParts)];
      const forward = compareImage(left, right);
      const backward = compareImage(right, left);
      expect(backward.similarity).toBe(forward.similarity);
      expect(new Set(backward.regions.map((r) => JSON.stringify([r.kind, r.old, r.new])))).toEqual(
        new Set(forward.regions.map((r) => JSON.stringify([swap[r.kind], r.new, r.old]))),
      );
      expect(compareImage(left, left).similarity).toBe(100);
    }),
    { numRuns: 300 },
  );
});

/** Dark letters of 6 by 10 pixels on a white page. */
const paintText =
  (text: (line: number) => string): Paint =>
  (x, y) => {
    const letter = text(Math.floor(y / 40))[Math.floor((x - 20) / 8)] ?? " ";
    const [column, row] = [(x - 20) % 8, y % 40];
    if (x < 20 || column >= 6 || row >= 10 || letter === " ") return 0xffffff;
    return noise(column, row, letter.charCodeAt(0)) % 2 === 0 ? 0x202020 : 0xffffff;
  };

test("similarity measures the content, not the white space around it", () => {
  const lines = (count: number, words: string) =>
    paintText((line) => (line < count ? `${words} ${line}` : ""));
  const article = image(400, 1200, lines(28, "An article about glass and how it is made"));
  const error = image(400, 1200, lines(2, "404 Not Found"));
  expect(compareImage(article, error).similarity).toBeLessThan(10);
  expect(compareImage(article, article).similarity).toBe(100);
  const edited = paintText((line) =>
    line < 28 ? `An article about ${line === 9 ? "books" : "glass"} and how it is made ${line}` : "",
  );
  const alike = compareImage(article, image(400, 1200, edited)).similarity;
  expect([alike > 97, alike < 100]).toEqual([true, true]);
  // A longer margin isn't content.
  expect(
    compareImage(article, image(400, 1500, lines(28, "An article about glass and how it is made")))
      .similarity,
  ).toBe(99.99);
});

test("joins changed areas that are close together and keeps distant ones separate", () => {
  const marks =
    (...at: [number, number][]): Paint =>
    (x, y) =>
      at.some(([left, top]) => x >= left && x < left + 10 && y >= top && y < top + 10)
        ? 0xff0000
        : page(x, y);
  const { regions } = compareImage(
    image(WIDTH, HEIGHT, page),
    image(WIDTH, HEIGHT, marks([20, 100], [50, 120], [30, 140], [20, 400])),
  );
  expect(regions.map((region) => region.new)).toEqual([
    { x: 20, y: 100, width: 40, height: 50 },
    { x: 20, y: 400, width: 10, height: 10 },
  ]);
});

test("the precise comparison of image files finds a changed digit, even a faint one", () => {
  const price = (digit: string, ink: number): Paint => {
    const draw = paintText(() => `10${digit}`);
    return (x, y) => (draw(x, y) === 0x202020 ? ink : 0xffffff);
  };
  for (const ink of [0x000000, 0xe8e8e8, 0xf2f2f2]) {
    const pictures = [image(120, 40, price("4", ink)), image(120, 40, price("5", ink))] as const;
    expect(compareImage(...pictures, true).regions).toMatchObject([{ kind: "changed", new: { y: 0 } }]);
  }
});
