/** Every kind of condition, by what it asks and how. The form and docs/rules.md show this table. */
export const conditionKinds = {
  "text added": {
    label: "Text added",
    means:
      "the text occurs more often than before, in upper or lower case; of a `/pattern/`, something that it matches is new",
  },
  "text removed": {
    label: "Text removed",
    means: "the text occurs less often than before; of a `/pattern/`, something that it matched is gone",
  },
  "text present": { label: "Text is present", means: "the text or `/pattern/` is on the page now" },
  "text absent": {
    label: "Text is absent",
    means:
      "the text or `/pattern/` isn’t on the page now; as long as it is there, later checks are compared with the last page without it",
  },
  "number below": { label: "Number below", means: "a followed value is less than the limit" },
  "number above": { label: "Number above", means: "a followed value is more than the limit" },
  "number up": {
    label: "Number up by",
    means: "a followed value rose by at least this amount, or this percentage of its previous value",
  },
  "number down": {
    label: "Number down by",
    means: "a followed value fell by at least this amount, or this percentage of its previous value",
  },
  status: { label: "Status", means: "the response status is `404`, or of the class `5xx`" },
  severity: { label: "Severity at least", means: "the change is at least that severe" },
  reason: {
    label: "Kind of change",
    means: "one of these kinds made the change: script, form, header, text and others",
  },
  "only additions": {
    label: "Only additions",
    means: "something was added; a line of which some words were replaced doesn’t count",
  },
  "only removals": {
    label: "Only removals",
    means: "something was removed; a line of which some words were replaced doesn’t count",
  },
  "matches above": {
    label: "Text occurs more often than",
    means: "the text, or what the `/pattern/` matches, is there more often than the limit",
  },
  "matches below": {
    label: "Text occurs less often than",
    means: "the text, or what the `/pattern/` matches, is there less often than the limit",
  },
  "characters above": { label: "More characters than", means: "the compared text has more characters" },
  "characters below": { label: "Fewer characters than", means: "the compared text has fewer characters" },
  "words above": { label: "More words than", means: "the compared text has more words" },
  "words below": { label: "Fewer words than", means: "the compared text has fewer words" },
  "lines above": { label: "More lines than", means: "the compared text has more lines" },
  "lines below": { label: "Fewer lines than", means: "the compared text has fewer lines" },
  "similarity below": {
    label: "Similarity below, in percent",
    means: "less than this share of the words is the same as before",
  },
  "similarity above": {
    label: "Similarity above, in percent",
    means: "more than this share of the words is the same as before",
  },
} as const satisfies Record<string, { label: string; means: string }>;

export type ConditionKind = keyof typeof conditionKinds;
export const conditionNames = Object.keys(conditionKinds) as ConditionKind[];
