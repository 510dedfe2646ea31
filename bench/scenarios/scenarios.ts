import type { Scenario } from "./scenario.ts";
import { answers } from "./table/answers.ts";
import { around } from "./table/around.ts";
import { content } from "./table/content.ts";
import { edits } from "./table/edits.ts";
import { encodings } from "./table/encodings.ts";
import { frame } from "./table/frame.ts";
import { hunted } from "./table/hunted.ts";
import { links } from "./table/links.ts";
import { markup } from "./table/markup.ts";
import { pictures } from "./table/pictures.ts";
import { chosenRules } from "./table/rules/chosen.ts";
import { combinedRules } from "./table/rules/combined.ts";
import { conditionRules } from "./table/rules/conditions.ts";
import { drawnRules } from "./table/rules/drawn.ts";
import { jsonRules } from "./table/rules/json.ts";
import { markupRules } from "./table/rules/markup.ts";
import { stepRules } from "./table/rules/steps.ts";
import { shown } from "./table/shown.ts";
import { states } from "./table/states.ts";
import { summaries } from "./table/summaries.ts";
import { transfers } from "./table/transfers.ts";
import { variantScenarios } from "./table/variants.ts";
import { volatile } from "./table/volatile.ts";

/** The whole table. */
export const scenarios: Scenario[] = [
  ...states,
  ...edits,
  ...shown,
  ...links,
  ...answers,
  ...hunted,
  ...content,
  ...encodings,
  ...pictures,
  ...transfers,
  ...markup,
  ...variantScenarios,
  ...volatile,
  ...around,
  ...frame,
  ...summaries,
  ...chosenRules,
  ...drawnRules,
  ...markupRules,
  ...jsonRules,
  ...stepRules,
  ...conditionRules,
  ...combinedRules,
];

/** The title of a scenario in lists and tests, such as "state: stock flips". */
export const titleOf = (scenario: Scenario) => `${scenario.class}: ${scenario.name}`;
