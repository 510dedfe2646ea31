import { expect, test } from "vitest";
import { Budget } from "./rule-budget.ts";
import { stepNames, type TextStep } from "./step-kinds.ts";
import { applySteps, readStep } from "./text-steps.ts";

const apply = (lines: string[], ...steps: TextStep[]) =>
  applySteps(
    lines,
    steps.map((step) => ({ step, apply: readStep(step) })),
    new Budget(),
  );
const list = ["Oak 12 €", "  ", " Ash 7 €", "Ash 7 €", "Ash 7 €", "Elm 100 €", "Oak 12 €"];

type Row = [text: string, to: string, left: string[]];
const rows: Record<TextStep["do"], Row[]> = {
  keep: [
    ["ASH", "", [" Ash 7 €", "Ash 7 €", "Ash 7 €"]],
    ["/^\\w+ 1\\d+/", "", ["Oak 12 €", "Elm 100 €", "Oak 12 €"]],
  ],
  drop: [
    ["ash", "", ["Oak 12 €", "  ", "Elm 100 €", "Oak 12 €"]],
    ["/\\d/", "", ["  "]],
  ],
  capture: [
    ["/1\\d+/", "", ["12", "100", "12"]],
    ["/(Oak|Elm) (\\d+)/", "$2: $1", ["12: Oak", "100: Elm", "12: Oak"]],
  ],
  between: [
    ["oak", "elm", ["  ", " Ash 7 €", "Ash 7 €", "Ash 7 €"]],
    ["elm", "", ["Oak 12 €"]],
  ],
  replace: [
    ["Oak", "$&", ["$& 12 €", "  ", " Ash 7 €", "Ash 7 €", "Ash 7 €", "Elm 100 €", "$& 12 €"]],
    ["/(\\d+) €/", "€ $1", ["Oak € 12", "  ", " Ash € 7", "Ash € 7", "Ash € 7", "Elm € 100", "Oak € 12"]],
  ],
  trim: [["", "", ["Oak 12 €", "Ash 7 €", "Ash 7 €", "Ash 7 €", "Elm 100 €", "Oak 12 €"]]],
  sort: [["", "", ["  ", " Ash 7 €", "Ash 7 €", "Ash 7 €", "Elm 100 €", "Oak 12 €", "Oak 12 €"]]],
  reverse: [["", "", ["Oak 12 €", "Elm 100 €", "Ash 7 €", "Ash 7 €", " Ash 7 €", "  ", "Oak 12 €"]]],
  unique: [["", "", ["Oak 12 €", "  ", " Ash 7 €", "Ash 7 €", "Elm 100 €"]]],
  repeated: [["", "", ["Oak 12 €", "  ", " Ash 7 €", "Ash 7 €", "Elm 100 €", "Oak 12 €"]]],
  first: [["2", "", ["Oak 12 €", "  "]]],
  last: [["2", "", ["Elm 100 €", "Oak 12 €"]]],
};

test.for(stepNames)("%s leaves what its description says", (kind) => {
  for (const [text, to, left] of rows[kind]) expect(apply(list, { do: kind, text, to })).toEqual(left);
});

test("numbers are sorted by their value", () => {
  const prices = ["Lamp 100", "Lamp 12", "Lamp 7"];
  expect(apply(prices, { do: "sort", text: "", to: "" })).toEqual(["Lamp 7", "Lamp 12", "Lamp 100"]);
});

test("each step gets what the one before it left", () => {
  const left = apply(
    list,
    { do: "trim", text: "", to: "" },
    { do: "unique", text: "", to: "" },
    { do: "last", text: "2", to: "" },
    { do: "reverse", text: "", to: "" },
  );
  expect(left).toEqual(["Elm 100 €", "Ash 7 €"]);
});
