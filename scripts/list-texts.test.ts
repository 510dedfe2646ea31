import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listTexts } from "./list-texts.ts";

test("markup, shown attributes and sentences are listed in their order, each once", () => {
  const code = `
    import { x } from "#a room/of ours.ts";
    const classes = "flex gap-2 text-sm";
    const problem = "We couldn’t save the job.";
    export const A = () => (
      <Card title="Jobs" className="grid gap-4">
        <p>
          Checked   {count} times,
          twice a day
        </p>
        <Button label={isOn ? "Turn off" : "Turn on"}>Checked</Button>
        {\`Every \${minutes} minutes\`}
      </Card>
    );`;
  expect(listTexts("a.tsx", code)).toEqual([
    "We couldn’t save the job.",
    "Jobs",
    "Checked … times, twice a day",
    "Checked",
    "Turn off",
    "Turn on",
    "Every … minutes",
  ]);
});

test("a sentence with elements in it is one line, and so is a shown property of one word", () => {
  const code = `
    const status = { id: "one", label: "Paused" };
    export const A = () => (
      <p>
        Open <a href="/mailbox" title="Mails">your mailbox</a>, {name}. {isLate && <b>It’s late.</b>}
        <input value="hidden" />
      </p>
    );`;
  expect(listTexts("a.tsx", code)).toEqual(["Paused", "Open your mailbox, …. …", "Mails", "It’s late."]);
});

test("statements, selectors, bugs and module names are not texts", () => {
  const code = `
    const rows = sql\`select name from jobs where id = 1\`;
    const query = "select name from jobs";
    const css = "main > p, #scope a";
    throw new Error("a job without its group");`;
  expect(listTexts("a.ts", code)).toEqual([]);
});

test("no text has the private words that the screens once had", () => {
  const texts = readFileSync("docs/texts.md", "utf8");
  const retired = [
    "Of it",
    "Its line",
    "Told",
    "Tell me of",
    "like to hear of",
    "anded down",
    "Hand down",
    "None chosen",

    "told again",
    "Dark stands",
    "stands unchanged",
    "Nothing is made",
    "Which address",
    "no job is made",

    "minutes at most",
    "You watch nothing",
    "A number, as",
    "head of each day",
    "gone over",
    "obody is told",
    "taken over",
    "by mail",
    "vouches for the time",
    "as now.",
    "could not be loaded",
  ];
  expect(retired.filter((words) => texts.includes(words))).toEqual([]);
});
