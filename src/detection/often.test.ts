import { describe, expect, test } from "vitest";
import { compare } from "./compare.ts";
import { emptyMemory, listLearned, type NoiseMemory } from "./noise-memory.ts";
import { answerOften, countCheck } from "./often.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotOf } from "./snapshot-of.ts";
import type { Verdict } from "./verdict.ts";

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

describe("a place that changed at 3 of the last 5 checks", () => {
  test("in the main content stays pushed, and is asked about once", () => {
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

  test("outside it folds by itself, said the first time", () => {
    const { verdicts } = watch(asideSteps);
    expect(marks({ verdicts })).toBe("!!fff");
    expect(verdicts[2]?.often).toEqual([{ place: "div#tip", times: 3, folded: true, isNew: true }]);
    expect(verdicts[2]?.reasons).toMatchObject([{ kind: "text", folded: true, count: 1 }]);
  });

  test("folds nothing that changes beside it", () => {
    const { memory } = watch(asideSteps);
    const { verdict } = compare(page("On time", "Sit down"), page("Cancelled", "Stand up"), memory);
    expect(verdict).toMatchObject({ changed: true, folded: false, summary: "“On time” → “Cancelled”" });
    expect(verdict.reasons.map(({ folded }) => folded === true)).toEqual([false, true]);
  });

  test.each(["Hacked by Paper Tigers", "Pay to https://pay.example/ now", "Write to boss@example.com"])(
    "does not fold what it never said before: %s",
    (tip) => {
      const { memory } = watch(asideSteps);
      expect(compare(page("On time", "Sit down"), page("On time", tip), memory).verdict).toMatchObject({
        changed: true,
        folded: false,
      });
    },
  );

  test("is pushed again once it has stood still", () => {
    let { memory } = watch(asideSteps);
    for (let check = 0; check < 4; check++) memory = countCheck(memory);
    expect(marks(watch([asideSteps.at(-1) as Step, ["On time", "Stand up"]], memory))).toBe("!");
  });
});

describe("a part of the frame", () => {
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

  test("that changes often folds, wherever in it, and is named once", () => {
    const { verdicts, memory } = run(["a", "b", "c"], ["x", "b", "c"], ["x", "y", "c"], ["x", "q", "z"]);
    expect(marks({ verdicts })).toBe("!!f");
    expect(verdicts[2]?.often).toEqual([{ place: "nav#menu", times: 3, folded: true, isNew: true }]);
    const told = answerOften(memory, "nav#menu", "keepTelling");
    expect(compare(menu("x", "q", "z"), menu("x", "q", "w"), told).verdict.folded).toBe(false);
    const noise = answerOften(memory, "nav#menu", "noise");
    expect(compare(menu("x", "q", "z"), menu("x", "q", "w"), noise).verdict.changed).toBe(false);
  });

  test("that is again what it was before it was told of folds, and only then", () => {
    const quiet = ["Fares", "Lines"];
    const loud = ["Fares", "Lines", "Strike today"];
    expect(marks(run(quiet, loud, quiet))).toBe("!f");
    expect(marks(run(quiet, loud, ["Fares", "Lines", "Strike is over"]))).toBe("!!");
    expect(marks(run(quiet, loud, loud, loud, loud, loud, quiet))).toBe("!....!");
  });

  test("in the content going back is told like anything else", () => {
    expect(marks(watch(mainSteps.slice(0, 3)))).toBe("!!");
  });
});

describe("what the user answers", () => {
  const next: Step[] = [mainSteps.at(-1) as Step, ["On time", "Ride early"], ["Delayed", "Ride early"]];
  const asked = () => watch(mainSteps).memory;

  test("keep telling me: pushed, and not asked again", () => {
    const { verdicts } = watch(next, answerOften(asked(), "p#state", "keepTelling"));
    expect(marks({ verdicts })).toBe("!!");
    expect(verdicts.flatMap(({ often }) => often)).toEqual([]);
    const aside = answerOften(watch(asideSteps).memory, "div#tip", "keepTelling");
    expect(marks(watch([asideSteps.at(-1) as Step, ["On time", "Stand up"]], aside))).toBe("!");
  });

  test("once a day: folded", () => {
    expect(marks(watch(next, answerOften(asked(), "p#state", "daily")))).toBe("ff");
  });

  test("this is noise: listed as the user's word, but never a defacement", () => {
    const memory = answerOften(asked(), "p#state", "noise");
    const { verdicts } = watch(next, memory);
    expect(marks({ verdicts })).toBe("..");
    expect(verdicts[0]?.ignored).toMatchObject([{ place: "p#state", before: "Delayed", why: "rule" }]);
    expect(listLearned(memory)).toMatchObject([{ place: "p#state", why: "said" }]);
    expect(marks(watch([next[0] as Step, ["Hacked by Paper Tigers", "Ride early"]], memory))).toBe("!");
  });
});

describe("words under no landmark", () => {
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

  test("are pushed when they come; where the page has a main, their going is folded", () => {
    expect(follow()).toEqual(["pushed", "folded"]);
    expect(follow("div")).toEqual(["pushed", "pushed"]);
  });
});

describe("a label around the content", () => {
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

  test("waits for the next check, and is pushed then if it stands", () => {
    expect(follow([none, jobs, jobs, jobs])).toEqual(["folded waits", "stood", ""]);
  });

  test("may be marked by a sign", () => {
    expect(follow([jobs, site(entry("&gt; Careers"))])).toEqual(["folded waits"]);
  });

  test("is not pushed when its part of the frame has turned meanwhile", () => {
    expect(follow([none, jobs, none, none])).toEqual(["folded waits", "folded", ""]);
    expect(follow([none, jobs, fares, fares])).toEqual(["folded waits", "folded waits", "stood"]);
  });

  test("may be a link that nobody sees, wherever it stands", () => {
    const skip = (main: string) =>
      site("", {
        main: `${main}</p><a href="#end" style="position:absolute;left:-9999px">Skip the lines</a><p>`,
      });
    expect(follow([none, skip("Two lines meet at the harbour square.")])).toEqual(["folded waits"]);
    expect(follow([none, skip("Three lines meet at the harbour square.")])).toEqual(["pushed"]);
  });

  test("may be a button by its role", () => {
    const head = (words: string, role: string) => site("", { header: `<div role="${role}">${words}</div>` });
    expect(follow([head("Ride free", "button"), head("Ride now", "button")])).toEqual(["folded waits"]);
    expect(follow([head("Ride free", "status"), head("Ride now", "status")])).toEqual(["pushed"]);
  });

  test("may be words beside the entries of a menu, not those of a card of dishes", () => {
    const menu = (words: string) => site(`${entry("Careers").repeat(4)}<li>${words}</li>`);
    expect(follow([menu("Learn how to ride"), menu("Learn how to drive")])).toEqual(["folded waits"]);
    const buttons = (words: string) => site(`<li><button>Lines and fares</button></li><li>${words}</li>`);
    expect(follow([buttons("Learn how to ride"), buttons("Learn how to drive")])).toEqual(["folded waits"]);
    const dishes = (words: string) =>
      site("", { header: `<div class="menu"><p>Herring with beets</p><p>${words}</p></div>` });
    expect(follow([dishes("Eel in dill"), dishes("Eel in leek")])).toEqual(["pushed"]);
  });

  test("may be a link beside the articles that hold the page's text", () => {
    const beside = (topic: string, tag = "article") =>
      snapshotOf(
        `<${tag}><h2>Tram</h2><p>Two lines meet at the harbour square, and both of them end there.</p></${tag}>
         <ul><li><a href="/t/${topic}">${topic}</a></li></ul>`,
        "html",
        "https://tram.example.test/",
      );
    expect(follow([beside("Bells"), beside("Gulls"), beside("Gulls")])).toEqual(["folded waits", "stood"]);
    expect(follow([beside("Bells", "div"), beside("Gulls", "div")])).toEqual(["pushed"]);
  });

  test("is told with what else is new, at once", () => {
    const closed = site(entry("Careers"), { main: "The harbour square is closed." });
    expect(follow([none, closed, closed])).toEqual(["pushed", ""]);
  });

  test("stands although the content changes, and waits while another page is in its place", () => {
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
    ["a link to someone new", site('<li><a href="https://elsewhere.test/">Home delivery</a></li>')],
  ] satisfies [string, Snapshot][])("does not wait when it is %s", ([, page]) => {
    expect(follow([none, page])).toEqual(["pushed"]);
  });

  test("does not wait where the user wants to hear of it", () => {
    const memory = answerOften(emptyMemory(), "header>nav", "keepTelling");
    expect(follow([none, jobs], memory)).toEqual(["pushed"]);
  });

  test("that waits is seen again when the page is the same to the byte", () => {
    const { memory } = compare(none, jobs, emptyMemory());
    expect(memory.waiting).toHaveLength(1);
    expect(countCheck(memory).waiting).toEqual([]);
  });
});
