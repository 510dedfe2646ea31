import { describe, expect, test } from "vitest";
import { compare, learnTwin } from "./compare.ts";
import { emptyMemory, listLearned, type NoiseMemory, unlearn } from "./noise-memory.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotOf } from "./snapshot-of.ts";

const page = (promo: string, rule = "Guests lock the door when they leave.") =>
  snapshotOf(
    `<main><h1>House rules</h1><p>${rule}</p><p>The deposit is paid back after the last check.</p><div id="note">${promo}</div></main>`,
    "html",
    "https://www.example.test/",
  );

/** One mark a step: ! for a push, f for what is folded, . for nothing. */
function watch(
  promos: string[],
  memory = emptyMemory(),
  show: (promo: string) => Snapshot = page,
): { marks: string; memory: NoiseMemory } {
  let marks = "";
  for (let step = 0; step + 1 < promos.length; step++) {
    const result = compare(show(promos[step] ?? ""), show(promos[step + 1] ?? ""), memory);
    memory = result.memory;
    marks += result.verdict.folded ? "f" : result.verdict.changed ? "!" : ".";
  }
  return { marks, memory };
}

const rotating = [
  "Free delivery today",
  "Assembly at home",
  "Planning in store",
  "Gifts for members",
  "Chairs are back",
  "Late opening",
];
const twice = () => learnTwin(page(rotating[0] ?? ""), page(rotating[1] ?? ""), emptyMemory());

describe("states are told each time", () => {
  const stock = ["Out of stock", "Available!"];
  const line = "Deliveries go to the back door.";
  test.each([
    ["a place that changes each time", rotating],
    ["a line that comes and goes", ["", line, "", line, "", line]],
    ["a state that flips", [0, 1, 0, 1, 0, 1, 0, 1, 0, 1].map((at) => stock[at] ?? "")],
  ])("%s", (_, promos) => {
    expect(watch(promos).marks).toBe("!".repeat(promos.length - 1));
  });

  test("in JSON and in the title too", () => {
    const json = (promo: string) => snapshotOf(`{"state":"${promo}"}`, "json", "https://www.example.test/a");
    const titled = (promo: string) =>
      snapshotOf(`<title>${promo}</title><p>Standing.</p>`, "html", "https://www.example.test/");
    const flips = ["Out", "In", "Out", "In", "Out", "In"];
    expect(watch(flips, emptyMemory(), json).marks).toBe("!!!!!");
    expect(watch(flips, emptyMemory(), titled).marks).toBe("!!!!!");
  });
});

test("twin captures of one moment teach at once", () => {
  expect(watch(rotating.slice(1), twice()).marks).toBe("....");
});

test("twins teach about titles and link targets too", () => {
  const show = (promo: string) =>
    snapshotOf(
      `<title>${promo}</title><main><p>Standing.</p><a href="/${promo}">Offer</a></main>`,
      "html",
      "https://www.example.test/",
    );
  const memory = learnTwin(show("one"), show("two"), emptyMemory());
  expect(watch(["two", "three", "four"], memory, show).marks).toBe("..");
  expect(watch(["two", "three", "four"], emptyMemory(), show).marks).toBe("!!");
});

test("a masked place still alerts when its value does not fit, and that teaches nothing", () => {
  const { memory } = watch(rotating, twice());
  const last = rotating.at(-1) ?? "";
  const alert = (promo: string) => compare(page(last), page(promo), memory).verdict.changed;
  expect(alert("Tables are back")).toBe(false);
  expect(alert("Hacked by Paper Tigers")).toBe(true);
  expect(alert("See https://lamps.example/ for 9 € lamps")).toBe(true);
  expect(alert("Lamps. ".repeat(40))).toBe(true);
  const attack = ["See https://lamps.example/ for 9 € lamps", "See https://lamps.example/ for 7 € lamps"];
  expect(watch([last, ...attack], memory).marks).toBe("!!");
});

test("a mask hides nothing outside its place", () => {
  const { memory } = watch(rotating, twice());
  const after = page("Tables are back", "Guests leave the door open.");
  const [reason] = compare(page(rotating.at(-1) ?? ""), after, memory).verdict.reasons;
  expect(reason?.changes.map((change) => change.after)).toEqual(["Guests leave the door open."]);
});

test("what was learned is listed with its reason and can be unlearned", () => {
  const { memory } = watch(rotating.slice(1), twice());
  expect(listLearned(memory)).toEqual([
    { place: "div#note", why: "twin", times: 5, samples: ["Late opening"] },
  ]);
  const freed = unlearn(memory, "div#note");
  expect(listLearned(freed)).toEqual([]);
  expect(compare(page("Late opening"), page("Tables are back"), freed).verdict.changed).toBe(true);
});

test("a memory kept by an earlier version is read, its guesses from history forgotten", () => {
  const { version, captures, pieces, slots, seen, kept } = twice();
  const old = { version, captures, pieces, slots, seen, kept };
  const guessed = Object.fromEntries(
    Object.entries(old.slots).map(([place, slots]) => [
      place,
      slots.map((slot) => ({ ...slot, twin: false })),
    ]),
  );
  expect(watch(rotating.slice(1), old as NoiseMemory).marks).toBe("....");
  expect(watch(rotating.slice(1), { ...old, slots: guessed } as NoiseMemory).marks).toBe("!!!!");
});

test("survives being kept as JSON and stays small", () => {
  const { memory } = watch(
    Array.from({ length: 60 }, (_, at) => `Offer number ${at} ${"abcdefgh".repeat(at % 5)}`),
  );
  expect(JSON.parse(JSON.stringify(memory))).toEqual(memory);
  expect(JSON.stringify(memory).length).toBeLessThan(20_000);
});

test("an edit now and then is never learned", () => {
  const promos = [
    "Open on Monday",
    ...Array(6).fill("Closed on Monday"),
    ...Array(6).fill("Open on Sunday"),
    "Closed on Sunday",
  ] as string[];
  const { marks } = watch(promos);
  expect(marks.replaceAll(".", "")).toBe("!!!");
});

test("an outage teaches nothing", () => {
  const down = snapshotOf(
    "<p>503 Service unavailable, try again later</p>",
    "html",
    "https://www.example.test/",
  );
  const long = page("x ".repeat(400));
  expect(compare(long, down, emptyMemory()).memory).toEqual({ ...emptyMemory(), checks: 1 });
});

test("a script host that came back twice no longer alerts", () => {
  const clean = page("Late opening");
  const dirty = snapshotOf(
    `${clean.html}<script src="https://cdn.example/x.js"></script>`,
    "html",
    clean.url,
  );
  let memory = emptyMemory();
  const alerts = [clean, dirty, clean, dirty, clean, dirty].map((snapshot, at, all) => {
    const before = all[at - 1];
    if (!before) return "";
    const result = compare(before, snapshot, memory);
    memory = result.memory;
    return result.verdict.changed ? "!" : ".";
  });
  expect(alerts.join("")).toBe("!.!..");
});

test("a second look confirms what came instead of learning it", () => {
  const clean = page("Late opening");
  const dirty = snapshotOf(
    `${clean.html}<script src="https://cdn.evil.example/x.js"></script><iframe src="https://evil.example/"></iframe>`,
    "html",
    clean.url,
  );
  const { verdict } = compare(clean, dirty, learnTwin(dirty, dirty, learnTwin(clean, clean, emptyMemory())));
  expect(verdict.reasons.map((reason) => reason.summary)).toEqual([
    "New script host cdn.evil.example",
    "New iframe from evil.example",
  ]);
});

test("a value that differs on each capture is known by its twin, whichever of the two was kept", () => {
  const [one, other, next, last] = ["k3J9x2Qa7", "Zt81mPq0v", "b7Yw4Rn2s", "Xe5Lc9Dq1"].map((code) =>
    page(`Code ${code}`),
  ) as [Snapshot, Snapshot, Snapshot, Snapshot];
  const memory = learnTwin(one, other, emptyMemory());
  expect(listLearned(memory).map(({ place, why }) => [place, why])).toEqual([["div#note", "twin"]]);
  for (const kept of [one, other]) {
    const { verdict, memory: more } = compare(kept, next, memory);
    expect(verdict.ignored.map(({ why }) => why)).toEqual(["learned"]);
    expect(compare(next, last, more).verdict.changed).toBe(false);
    expect(listLearned(more).map(({ why }) => why)).toEqual(["twin"]);
  }
});

test("a line that came is news though it holds a value that differs on each capture", () => {
  const clean = page("Late opening");
  const [now, again] = ["00:12:33", "00:12:21"].map((left) =>
    snapshotOf(
      `${clean.html}<p>The sale of all rooms ends in ${left} for members only</p>`,
      "html",
      clean.url,
    ),
  ) as [Snapshot, Snapshot];
  expect(compare(clean, again, learnTwin(now, again, emptyMemory())).verdict.changed).toBe(true);
});

test("a place the user wants to hear about is heard, scripts too", () => {
  const clean = page("Late opening");
  const dirty = snapshotOf(
    `${clean.html}<script src="https://cdn.example/x.js"></script>`,
    "html",
    clean.url,
  );
  const memory = learnTwin(clean, dirty, emptyMemory());
  expect(compare(clean, dirty, memory).verdict.ignored).toEqual([
    { place: "script cdn.example", before: null, after: "https://cdn.example/x.js", why: "alternating" },
    {
      place: "<script>",
      before: null,
      after: '<script src="https://cdn.example/x.js">',
      why: "markup",
      count: 1,
    },
  ]);
  expect(compare(clean, dirty, unlearn(memory, "script cdn.example")).verdict.changed).toBe(true);
});
