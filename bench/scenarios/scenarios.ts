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
import { shown } from "./table/shown.ts";
import { states } from "./table/states.ts";
import { summaries } from "./table/summaries.ts";
import { transfers } from "./table/transfers.ts";
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
  ...volatile,
  ...around,
  ...frame,
  ...summaries,
];

/** What a scenario is called in lists: "state: stock flips". */
export const titleOf = (scenario: Scenario) => `${scenario.class}: ${scenario.name}`;
