import { describe, expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory, listLearned, type NoiseMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { answerOften, recordUnchangedCheck } from "./frequent-changes.ts";

const page = (main: string, aside: string) =>
  snapshotOf(
    `<main><h1>Tram</h1><p>Two lines meet at the harbour square.</p><p id="state">${main}</p></main>
     <aside><div id="tip">${aside}</div></aside>`,
    "html",
    "https://tram.example.test/",
  );
type Step = [main: string, aside: string];

function watch(
  steps: Step[],
  memory: NoiseMemory = emptyMemory(),
): { verdicts: Verdict[]; memory: NoiseMemory } {
  const verdicts: Verdict[] = [];
  for (let at = 1; at < steps.length; at++) {
    const result = compare(page(...(steps[at - 1] as Step)), page(...(steps[at] as Step)), memory);
    verdicts.push(result.verdict);
    memory = result.memory;
  }
  return { verdicts, memory };
}

const tips = ["Ride early", "Buy a pass", "Hold on tight", "Mind the gap", "Ring the bell", "Sit down"];
const states = ["On time", "Delayed", "On time", "Delayed", "On time", "Delayed"];
const marks = ({ verdicts }: { verdicts: Verdict[] }) =>
  verdicts.map(({ changed, folded }) => (folded ? "f" : changed ? "!" : ".")).join("");
const asideSteps = tips.map((tip): Step => ["On time", tip]);
const mainSteps = states.map((state): Step => [state, "Ride early"]);

describe("a location that changed at 3 of the last 5 checks", () => {
  test("is still alerted immediately in the main content, and the user is asked once", () => {
    const { verdicts } = watch(mainSteps);
    expect(marks({ verdicts })).toBe("!!!!!");
    expect(verdicts.map(({ often }) => often)).toEqual([
      [],
      [],
      [{ place: "p#state", times: 3, folded: false, isNew: true }],
      [{ place: "p#state", times: 4, folded: false, isNew: false }],
      [{ place: "p#state", times: 5, folded: false, isNew: false }],
    ]);
  });

  test("goes to the digest outside the main content, and is marked as new the first time", () => {
    const { verdicts } = watch(asideSteps);
    expect(marks({ verdicts })).toBe("!!fff");
    expect(verdicts[2]?.often).toEqual([{ place: "div#tip", times: 3, folded: true, isNew: true }]);
    expect(verdicts[2]?.reasons).toMatchObject([{ kind: "text", folded: true, count: 1 }]);
  });

  test("does not move changes of other locations to the digest", () => {
    const { memory } = watch(asideSteps);
    const { verdict } = compare(page("On time", "Sit down"), page("Cancelled", "Stand up"), memory);
    expect(verdict).toMatchObject({ changed: true, folded: false, summary: "“On time” → “Cancelled”" });
    expect(verdict.reasons.map(({ folded }) => folded === true)).toEqual([false, true]);
  });

  test.each(["Hacked by Paper Tigers", "Pay to https://pay.example/ now", "Write to boss@example.com"])(
    "is alerted immediately if its text is of a new kind: %s",
    (tip) => {
      const { memory } = watch(asideSteps);
      expect(compare(page("On time", "Sit down"), page("On time", tip), memory).verdict).toMatchObject({
        changed: true,
        folded: false,
      });
    },
  );

  test("is alerted immediately again after it has stayed unchanged", () => {
    let { memory } = watch(asideSteps);
    for (let check = 0; check < 4; check++) memory = recordUnchangedCheck(memory);
    expect(marks(watch([asideSteps.at(-1) as Step, ["On time", "Stand up"]], memory))).toBe("!");
  });
});

describe("a part of the boilerplate", () => {
  const menu = (...items: string[]) =>
    snapshotOf(
      `<main><h1>Tram</h1><p>Two lines meet at the harbour square.</p></main>
       <nav id="menu">${items.map((item, at) => `<div class="n${at}">${item}</div>`).join("")}</nav>`,
      "html",
      "https://tram.example.test/",
    );
  const run = (...pages: string[][]) => {
    let memory = emptyMemory();
    const verdicts = pages.slice(1).map((items, at) => {
      const result = compare(menu(...(pages[at] ?? [])), menu(...items), memory);
      memory = result.memory;
      return result.verdict;
    });
    return { verdicts, memory };
  };

  test("goes to the digest if it changes often, whichever of its entries change, and is listed once", () => {
    const { verdicts, memory } = run(["a", "b", "c"], ["x", "b", "c"], ["x", "y", "c"], ["x", "q", "z"]);
    expect(marks({ verdicts })).toBe("!!f");
    expect(verdicts[2]?.often).toEqual([{ place: "nav#menu", times: 3, folded: true, isNew: true }]);
    const alwaysAlert = answerOften(memory, "nav#menu", "keepTelling");
    expect(compare(menu("x", "q", "z"), menu("x", "q", "w"), alwaysAlert).verdict.folded).toBe(false);
    const noise = answerOften(memory, "nav#menu", "noise");
    expect(compare(menu("x", "q", "z"), menu("x", "q", "w"), noise).verdict.changed).toBe(false);
  });

  test("goes to the digest if it soon returns to its state before the alert, and only then", () => {
    const quiet = ["Fares", "Lines"];
    const loud = ["Fares", "Lines", "Strike today"];
    expect(marks(run(quiet, loud, quiet))).toBe("!f");
    expect(marks(run(quiet, loud, ["Fares", "Lines", "Strike is over"]))).toBe("!!");
    expect(marks(run(quiet, loud, loud, loud, loud, loud, quiet))).toBe("!....!");
  });

  test("differs from main content, whose return to an earlier state is alerted immediately", () => {
    expect(marks(watch(mainSteps.slice(0, 3)))).toBe("!!");
  });
});

describe("the user's answer", () => {
  const next: Step[] = [mainSteps.at(-1) as Step, ["On time", "Ride early"], ["Delayed", "Ride early"]];
  const memoryAfterQuestion = () => watch(mainSteps).memory;

  test("keep telling me: changes are alerted immediately, and the user isn't asked again", () => {
    const { verdicts } = watch(next, answerOften(memoryAfterQuestion(), "p#state", "keepTelling"));
    expect(marks({ verdicts })).toBe("!!");
    expect(verdicts.flatMap(({ often }) => often)).toEqual([]);
    const aside = answerOften(watch(asideSteps).memory, "div#tip", "keepTelling");
    expect(marks(watch([asideSteps.at(-1) as Step, ["On time", "Stand up"]], aside))).toBe("!");
  });

  test("once a day: changes go to the digest", () => {
    expect(marks(watch(next, answerOften(memoryAfterQuestion(), "p#state", "daily")))).toBe("ff");
  });

  test("this is noise: changes are suppressed as the user's rule, except a defacement", () => {
    const memory = answerOften(memoryAfterQuestion(), "p#state", "noise");
    const { verdicts } = watch(next, memory);
    expect(marks({ verdicts })).toBe("..");
    expect(verdicts[0]?.ignored).toMatchObject([{ place: "p#state", before: "Delayed", why: "rule" }]);
    expect(listLearned(memory)).toMatchObject([{ place: "p#state", why: "said" }]);
    expect(marks(watch([next[0] as Step, ["Hacked by Paper Tigers", "Ride early"]], memory))).toBe("!");
  });
});

describe("text outside every landmark", () => {
  const site = (words: string, tag = "main") =>
    snapshotOf(
      `<${tag}><h1>Tram</h1><p>Two lines meet at the harbour square, and both of them end there.</p></${tag}>
       <div id="note"><p>${words}</p></div>`,
      "html",
      "https://tram.example.test/",
    );
  const follow = (tag?: string) => {
    let memory = emptyMemory();
    const pages = ["", "No trams today", ""].map((words) => site(words, tag));
    return pages.slice(1).map((page, at) => {
      const result = compare(pages[at] as Snapshot, page, memory);
      memory = result.memory;
      return result.verdict.folded ? "folded" : result.verdict.changed ? "pushed" : "";
    });
  };

  test("is alerted when it appears; on a page with a main element its removal goes to the digest", () => {
    expect(follow()).toEqual(["pushed", "folded"]);
    expect(follow("div")).toEqual(["pushed", "pushed"]);
  });
});

describe("a label outside the main content", () => {
  const site = (menu: string, { header = "", main = "Two lines meet at the harbour square." } = {}) =>
    snapshotOf(
      `<header>${header}<nav><ul><li><a href="/">Home</a></li>${menu}</ul></nav></header>
       <main><h1>Tram</h1><p>${main}</p><p>Trams run from the first gull to the last ferry of the day.</p></main>`,
      "html",
      "https://tram.example.test/",
    );
  const entry = (text: string) => `<li><a href="/${text.length}">${text}</a></li>`;
  const follow = (pages: ReturnType<typeof site>[], memory = emptyMemory()) => {
    const verdicts: Verdict[] = [];
    for (let at = 1; at < pages.length; at++) {
      const result = compare(pages[at - 1] as Snapshot, pages[at] as Snapshot, memory);
      verdicts.push(result.verdict);
      memory = result.memory;
    }
    return verdicts.map(({ changed, folded, waits, stood }) =>
      [changed && (folded ? "folded" : "pushed"), waits && "waits", stood && "stood"]
        .filter(Boolean)
        .join(" "),
    );
  };
  const [none, jobs, fares] = [site(""), site(entry("Careers")), site(entry("Fares"))];

  test("is pending until the next check, and is confirmed then if it is still there", () => {
    expect(follow([none, jobs, jobs, jobs])).toEqual(["folded waits", "stood", ""]);
  });

  test("can start with a sign", () => {
    expect(follow([jobs, site(entry("&gt; Careers"))])).toEqual(["folded waits"]);
  });

  test("is not confirmed if its part of the boilerplate has changed again", () => {
    expect(follow([none, jobs, none, none])).toEqual(["folded waits", "folded", ""]);
    expect(follow([none, jobs, fares, fares])).toEqual(["folded waits", "folded waits", "stood"]);
  });

  test("can be an invisible link anywhere on the page", () => {
    const skip = (main: string) =>
      site("", {
        main: `${main}</p><a href="#end" style="position:absolute;left:-9999px">Skip the lines</a><p>`,
      });
    expect(follow([none, skip("Two lines meet at the harbour square.")])).toEqual(["folded waits"]);
    expect(follow([none, skip("Three lines meet at the harbour square.")])).toEqual(["pushed"]);
  });

  test("can be a button by its role", () => {
    const head = (words: string, role: string) => site("", { header: `<div role="${role}">${words}</div>` });
    expect(follow([head("Ride free", "button"), head("Ride now", "button")])).toEqual(["folded waits"]);
    expect(follow([head("Ride free", "status"), head("Ride now", "status")])).toEqual(["pushed"]);
  });

  test("can be words next to menu entries, but not the dishes of a restaurant's menu", () => {
    const menu = (words: string) => site(`${entry("Careers").repeat(4)}<li>${words}</li>`);
    expect(follow([menu("Learn how to ride"), menu("Learn how to drive")])).toEqual(["folded waits"]);
    const buttons = (words: string) => site(`<li><button>Lines and fares</button></li><li>${words}</li>`);
    expect(follow([buttons("Learn how to ride"), buttons("Learn how to drive")])).toEqual(["folded waits"]);
    const dishes = (words: string) =>
      site("", { header: `<div class="menu"><p>Herring with beets</p><p>${words}</p></div>` });
    expect(follow([dishes("Eel in dill"), dishes("Eel in leek")])).toEqual(["pushed"]);
  });

  test("can be a link next to the articles that contain the page's text", () => {
    const topicPage = (topic: string, tag = "article") =>
      snapshotOf(
        `<${tag}><h2>Tram</h2><p>Two lines meet at the harbour square, and both of them end there.</p></${tag}>
         <ul><li><a href="/t/${topic}">${topic}</a></li></ul>`,
        "html",
        "https://tram.example.test/",
      );
    expect(follow([topicPage("Bells"), topicPage("Gulls"), topicPage("Gulls")])).toEqual([
      "folded waits",
      "stood",
    ]);
    expect(follow([topicPage("Bells", "div"), topicPage("Gulls", "div")])).toEqual(["pushed"]);
  });

  test("is alerted immediately together with another change", () => {
    const closed = site(entry("Careers"), { main: "The harbour square is closed." });
    expect(follow([none, closed, closed])).toEqual(["pushed", ""]);
  });

  test("is confirmed even if the content changes, and not confirmed by an error page", () => {
    const closed = site(entry("Careers"), { main: "The harbour square is closed." });
    expect(follow([none, jobs, closed])).toEqual(["folded waits", "pushed stood"]);
    const other = snapshotOf(
      "<h1>Sorry</h1><p>Something went wrong</p>".repeat(9),
      "html",
      "https://tram.example.test/",
    );
    expect(follow([none, jobs, other]).at(-1)).toBe("pushed");
  });

  test.for([
    ["a statement", site("", { header: "<p>No trams today</p>" })],
    ["a price", site(entry("Day pass 4 €"))],
    ["a contact", site(entry("Write to boss@elsewhere.test"))],
    ["spam", site(entry("Best casino slots"))],
    ["a link to a new host", site('<li><a href="https://elsewhere.test/">Home delivery</a></li>')],
  ] satisfies [string, Snapshot][])("is not pending if it is %s", ([, page]) => {
    expect(follow([none, page])).toEqual(["pushed"]);
  });

  test("is not pending where the user asked for alerts", () => {
    const memory = answerOften(emptyMemory(), "header>nav", "keepTelling");
    expect(follow([none, jobs], memory)).toEqual(["pushed"]);
  });

  test("is no longer pending after a check with a byte-identical page", () => {
    const { memory } = compare(none, jobs, emptyMemory());
    expect(memory.waiting).toHaveLength(1);
    expect(recordUnchangedCheck(memory).waiting).toEqual([]);
  });
});

const tramRules = (name: string) =>
  snapshotOf(
    `<main><h1>Tram</h1><p>${"Two lines meet at the harbour square. ".repeat(20)}</p><div id="rules">${name} ${"of the rules for all passengers on board ".repeat(6)}</div></main>`,
    "html",
    "https://tram.example.test/",
  );

test("a large part that alternates is one fact with a question, alerted once and when a new version joins", () => {
  let memory = emptyMemory();
  const verdicts = ["A", "B", "A", "B", "A", "C"].flatMap((name, at, all) => {
    if (at === 0) return [];
    const result = compare(tramRules(all[at - 1] ?? ""), tramRules(name), memory);
    memory = result.memory;
    return [result.verdict];
  });
  expect(marks({ verdicts })).toBe("!fff!");
  const fact = { place: "div#rules", folded: true };
  expect(verdicts.map(({ often }) => often)).toMatchObject([
    [],
    [],
    [{ ...fact, isNew: true, alternates: { versions: 2, times: 2 } }],
    [{ ...fact, isNew: false, alternates: { versions: 2, times: 3 } }],
    [{ place: "div#rules", folded: false }],
  ]);
});

test.for([
  ["eight", 8, true],
  ["eleven", 11, false],
] as const)("a large part that goes back after %s quiet checks", ([, quietChecks, isDigestOnly]) => {
  let { memory } = compare(tramRules("A"), tramRules("B"), emptyMemory());
  for (let check = 0; check < quietChecks; check++) memory = recordUnchangedCheck(memory);
  expect(compare(tramRules("B"), tramRules("A"), memory).verdict).toMatchObject({
    changed: true,
    folded: isDigestOnly,
  });
});
