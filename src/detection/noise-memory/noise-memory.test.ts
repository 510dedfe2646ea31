import { describe, expect, test } from "vitest";
import { compare, learnFromConfirmation } from "../compare.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { countIdleAgain, countIdleRules, listIdleRules } from "./idle-rules.ts";
import { emptyMemory, listLearned, type NoiseMemory, openMemory, unlearn } from "./noise-memory.ts";

const page = (promo: string, rule = "Guests lock the door when they leave.") =>
  snapshotOf(
    `<main><h1>House rules</h1><p>${rule}</p><p>The deposit is paid back after the last check.</p><div id="note">${promo}</div></main>`,
    "html",
    "https://www.example.test/",
  );

/** One mark per check: ! for an immediate alert, f for a change that goes to the digest, . for no change. */
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
const learnRotation = () =>
  learnFromConfirmation(page(rotating[0] ?? ""), page(rotating[1] ?? ""), emptyMemory());

describe("a change of state is reported every time", () => {
  const stock = ["Out of stock", "Available!"];
  const line = "Deliveries go to the back door.";
  test.each([
    ["a part that changes at every check", rotating],
    ["a line that appears and disappears", ["", line, "", line, "", line]],
    ["a state that flips", [0, 1, 0, 1, 0, 1, 0, 1, 0, 1].map((at) => stock[at] ?? "")],
  ])("%s", (_, promos) => {
    expect(watch(promos).marks).toBe("!".repeat(promos.length - 1));
  });

  test("also in JSON and in the title", () => {
    const json = (promo: string) => snapshotOf(`{"state":"${promo}"}`, "json", "https://www.example.test/a");
    const titled = (promo: string) =>
      snapshotOf(`<title>${promo}</title><p>Standing.</p>`, "html", "https://www.example.test/");
    const flips = ["Out", "In", "Out", "In", "Out", "In"];
    expect(watch(flips, emptyMemory(), json).marks).toBe("!!!!!");
    expect(watch(flips, emptyMemory(), titled).marks).toBe("!!!!!");
  });
});

test("a confirmation teaches noise at once", () => {
  expect(watch(rotating.slice(1), learnRotation()).marks).toBe("....");
});

test("a confirmation also teaches noise in titles and link targets", () => {
  const show = (promo: string) =>
    snapshotOf(
      `<title>${promo}</title><main><p>Standing.</p><a href="/${promo}">Offer</a></main>`,
      "html",
      "https://www.example.test/",
    );
  const memory = learnFromConfirmation(show("one"), show("two"), emptyMemory());
  expect(watch(["two", "three", "four"], memory, show).marks).toBe("..");
  expect(watch(["two", "three", "four"], emptyMemory(), show).marks).toBe("!!");
});

test("a learned location still alerts when its value doesn't fit, and learns nothing from that", () => {
  const { memory } = watch(rotating, learnRotation());
  const last = rotating.at(-1) ?? "";
  const alert = (promo: string) => compare(page(last), page(promo), memory).verdict.changed;
  expect(alert("Tables are back")).toBe(false);
  expect(alert("Hacked by Paper Tigers")).toBe(true);
  expect(alert("See https://lamps.example/ for 9 € lamps")).toBe(true);
  expect(alert("Lamps. ".repeat(40))).toBe(true);
  const attack = ["See https://lamps.example/ for 9 € lamps", "See https://lamps.example/ for 7 € lamps"];
  expect(watch([last, ...attack], memory).marks).toBe("!!");
});

test("a learned location hides no change elsewhere", () => {
  const { memory } = watch(rotating, learnRotation());
  const after = page("Tables are back", "Guests leave the door open.");
  const [reason] = compare(page(rotating.at(-1) ?? ""), after, memory).verdict.reasons;
  expect(reason?.changes.map((change) => change.after)).toEqual(["Guests leave the door open."]);
});

test("learned noise is listed with its reason and can be unlearned", () => {
  const { memory } = watch(rotating.slice(1), learnRotation());
  expect(listLearned(memory)).toEqual([
    { place: "div#note", why: "twin", times: 5, samples: ["Late opening"] },
  ]);
  const unlearned = unlearn(memory, "div#note");
  expect(listLearned(unlearned)).toEqual([]);
  expect(compare(page("Late opening"), page("Tables are back"), unlearned).verdict.changed).toBe(true);
});

test("a memory stored by an earlier version is read, without what it guessed from history", () => {
  const { version, captures, pieces, slots, seen, kept } = learnRotation();
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

test("the memory survives JSON serialization and stays small", () => {
  const { memory } = watch(
    Array.from({ length: 60 }, (_, at) => `Offer number ${at} ${"abcdefgh".repeat(at % 5)}`),
  );
  expect(JSON.parse(JSON.stringify(memory))).toEqual(memory);
  expect(JSON.stringify(memory).length).toBeLessThan(20_000);
});

test("occasional edits are never learned", () => {
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

test.each([
  ["a script host", '<script src="https://cdn.example/x.js"></script>', "script cdn.example"],
  ["a style sheet host", '<link rel="stylesheet" href="https://cdn.example/x.css">', "style cdn.example"],
  ["a frame", '<iframe src="https://cdn.example/x"></iframe>', "frame cdn.example"],
  ["a form's target", '<form action="https://cdn.example/x"><input name="q"></form>', "form cdn.example"],
  ["a login form", '<form action="/in"><input type="password"></form>', "password /in"],
])("%s alerts at its first appearance and is listed as back again later", (_, html, item) => {
  const clean = page("Late opening");
  const dirty = snapshotOf(`${clean.html}${html}`, "html", clean.url);
  let memory = emptyMemory();
  const alerts = [clean, dirty, clean, dirty, clean, dirty].map((snapshot, at, all) => {
    const before = all[at - 1];
    if (!before) return "";
    const result = compare(before, snapshot, memory);
    memory = result.memory;
    const isListed = result.verdict.ignored.some(({ place, why }) => place === item && why === "alternating");
    return result.verdict.changed ? "!" : isListed ? "l" : ".";
  });
  expect(alerts.join("")).toBe("!.l.l");
});

test("what was alerted is known for 30 days, however many checks these are", () => {
  const site = (extra: string, count: number) =>
    snapshotOf(
      `<header>${extra}</header><main><h1>House rules</h1><p>Guests lock the door.</p><p>${count}</p></main>`,
      "html",
      "https://www.example.test/",
    );
  const extra =
    '<p>The workshop is closed until Monday.</p><script src="https://cdn.example/x.js" async></script>';
  const alertsOfReturn = (days: number, hasDates = true) => {
    const at = (day: number) => (hasDates ? new Date(Date.UTC(2026, 0, 1 + day)).toISOString() : undefined);
    let { memory } = compare(site("", 0), site(extra, 0), emptyMemory(), null, at(0));
    ({ memory } = compare(site(extra, 0), site("", 0), memory, null, at(0)));
    for (let count = 0; count < 80; count++)
      ({ memory } = compare(site("", count), site("", count + 1), memory, null, at((days * count) / 80)));
    const { verdict } = compare(site("", 80), site(extra, 80), memory, null, at(days));
    return verdict.reasons.filter(({ folded, severity }) => !folded && severity !== "info").length;
  };
  expect(alertsOfReturn(29)).toBe(0);
  expect(alertsOfReturn(32)).toBe(2);
  expect(alertsOfReturn(29, false)).toBe(2);
});

test("a confirmation with the same new hosts confirms them instead of learning them as noise", () => {
  const clean = page("Late opening");
  const dirty = snapshotOf(
    `${clean.html}<script src="https://cdn.evil.example/x.js"></script><iframe src="https://evil.example/"></iframe>`,
    "html",
    clean.url,
  );
  const { verdict } = compare(
    clean,
    dirty,
    learnFromConfirmation(dirty, dirty, learnFromConfirmation(clean, clean, emptyMemory())),
  );
  expect(verdict.reasons.map((reason) => reason.summary)).toEqual([
    "New script host cdn.evil.example",
    "New iframe from evil.example",
  ]);
});

test("a value that differs on each capture is learned from a confirmation, whichever capture is the baseline", () => {
  const [one, other, next, last] = ["k3J9x2Qa7", "Zt81mPq0v", "b7Yw4Rn2s", "Xe5Lc9Dq1"].map((code) =>
    page(`Code ${code}`),
  ) as [Snapshot, Snapshot, Snapshot, Snapshot];
  const memory = learnFromConfirmation(one, other, emptyMemory());
  expect(listLearned(memory).map(({ place, why }) => [place, why])).toEqual([["div#note", "twin"]]);
  for (const baseline of [one, other]) {
    const { verdict, memory: more } = compare(baseline, next, memory);
    expect(verdict.ignored.map(({ why }) => why)).toEqual(["learned"]);
    expect(compare(next, last, more).verdict.changed).toBe(false);
    expect(listLearned(more).map(({ why }) => why)).toEqual(["twin"]);
  }
});

test("a new line is a change even if it contains a value that differs on each capture", () => {
  const clean = page("Late opening");
  const [now, again] = ["00:12:33", "00:12:21"].map((left) =>
    snapshotOf(
      `${clean.html}<p>The sale of all rooms ends in ${left} for members only</p>`,
      "html",
      clean.url,
    ),
  ) as [Snapshot, Snapshot];
  expect(compare(clean, again, learnFromConfirmation(now, again, emptyMemory())).verdict.changed).toBe(true);
});

test("a location that the user wants alerts for is reported, also for scripts", () => {
  const clean = page("Late opening");
  const dirty = snapshotOf(
    `${clean.html}<script src="https://cdn.example/x.js"></script>`,
    "html",
    clean.url,
  );
  const memory = learnFromConfirmation(clean, dirty, emptyMemory());
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

test("a memory that an earlier version stored is read as it is, and gets the fields that came later", () => {
  const shape = { minLength: 1, maxLength: 9, kinds: "l" };
  const stored = {
    version: 1 as const,
    captures: 7,
    pieces: { a: { place: "p", sample: "x", flips: 2, last: 3, twin: true } },
    slots: { p: [{ value: "v", sample: "x", changes: 1, last: 2, twin: true, shape }] },
    seen: { b: 4 },
    boxes: [{ x: 1, y: 2, width: 3, height: 4, kept: true as const }],
    told: { p: { checks: [5], shape } },
    answers: { p: "daily" as const },
    kept: ["q"],
    said: { id: { place: "r", before: null, after: "x", values: ["v"], shape, at: "2026-03-03T09:00:00Z" } },
    dates: { p: "2026-03-03T09:00:00Z" },
  };
  expect(openMemory(stored)).toEqual({
    ...stored,
    checks: 0,
    turns: {},
    days: [],
    partial: 0,
    waiting: [],
    ownErrors: [],
    idleRules: {},
    toldStatus: null,
  });
});

test("an ignore rule is idle after five checks without a match, unchanged pages included, until it matches", () => {
  const ignore = [".ad", "views"];
  const after = (memory: NoiseMemory, ...idle: string[][]) => idle.reduce(countIdleRules, memory);
  const four = after(emptyMemory(), [".ad"], [".ad", "views"], [".ad"], [".ad"]);
  expect(listIdleRules(four, ignore)).toEqual([]);
  expect(listIdleRules(countIdleAgain(four), ignore)).toEqual([".ad"]);
  expect(listIdleRules(after(four, [".ad"]), ignore)).toEqual([".ad"]);
  expect(listIdleRules(after(four, ["views"], [".ad"]), ignore)).toEqual([]);
  expect(listIdleRules(after(four, [".ad"]), ["views"])).toEqual([]);
});
