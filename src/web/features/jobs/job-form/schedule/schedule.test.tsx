import { act, useState } from "react";
import { expect, test } from "vitest";
import { plans } from "#plans/plans.ts";
import { click, find, render, type } from "#web/testing/render.tsx";
import { emptyFields } from "../fields.ts";
import { Schedule } from "./schedule.tsx";

function Form() {
  const [fields, setFields] = useState(emptyFields("group", plans[0]));
  const put = (part: Partial<typeof fields>) => setFields({ ...fields, ...part });
  return <Schedule fields={fields} problems={{}} plan={plans[0]} put={put} />;
}

const choose = (label: string) =>
  click(find("label", label).querySelector("input") ?? document.createElement("input"));
const cell = (name: string) => {
  const found = document.querySelector<HTMLElement>(`[role=gridcell][aria-label="${name}"]`);
  if (!found) throw new Error(`no cell is named “${name}”`);
  return found;
};
const selected = () =>
  [...document.querySelectorAll("[role=gridcell][aria-selected=true]")].map((each) =>
    each.getAttribute("aria-label"),
  );
const runs = () => [...document.querySelectorAll("ol time")].map(({ textContent }) => textContent ?? "");
const press = (key: string) =>
  act(async () =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
    ),
  );

test("hours are chosen by pointer, by keyboard, by the day and by presets, and the next runs are listed", async () => {
  const screen = await render(<Form />);
  await choose("Chosen hours of the week");
  await act(async () =>
    cell("Monday 09:00").dispatchEvent(new PointerEvent("pointerdown", { button: 0, bubbles: true })),
  );
  expect(selected()).toEqual(["Monday 09:00"]);
  await act(async () => cell("Monday 09:00").focus());
  await press("ArrowRight");
  expect(document.activeElement).toBe(cell("Tuesday 09:00"));
  await press(" ");
  expect(selected()).toEqual(["Monday 09:00", "Tuesday 09:00"]);
  await press("Enter");
  expect(selected()).toEqual(["Monday 09:00"]);
  const saturday = document.querySelector<HTMLElement>('[aria-label="Sat, all day"]');
  await click(saturday ?? document.body);
  expect(selected()).toHaveLength(25);
  await click(find("button", "Weekdays 9 to 18"));
  expect(selected()).toHaveLength(45);
  expect(runs()).toHaveLength(5);
  await screen.unmount();
});

test("a cron line shows its next runs in its time zone, or why it isn't one", async () => {
  const screen = await render(<Form />);
  await choose("Cron line");
  const line = () => document.querySelector("input[placeholder='0 9 * * 1-5']");
  await type(line(), "0 25 * * *");
  expect(screen.host.textContent).toContain("isn’t a cron line");
  expect(runs()).toEqual([]);
  await type(line(), "0 9 * * 1-5");
  await act(async () => {
    const zone = document.querySelector("select");
    if (zone) zone.value = "Europe/Berlin";
    zone?.dispatchEvent(new Event("change", { bubbles: true }));
  });
  expect(runs()).toHaveLength(5);
  for (const run of runs()) expect(run).toMatch(/(Mon|Tue|Wed|Thu|Fri).*0?9:00.*(GMT\+[12]|CES?T)/);
  await screen.unmount();
});
