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
