import type { AlertIf, Condition } from "#contract/alert-if.ts";
import type { Follow } from "#detection/followed-values/followed-values.ts";
import { isRecord, records, shorten, texts } from "./draft.ts";

type Watch = Record<string, unknown>;
type Read = { alertIf: AlertIf | null; values: Follow[] };
/** A condition's text may have this many characters; one that has more is kept long enough to be refused. */
const maxText = 1_000;
const maxBlockingTexts = 10;
type Group = { match: AlertIf["match"]; conditions: Condition[]; name: string };

const numberName = "number";

/**
 * Translates what decides whether a change of changedetection.io is alerted: conditions, blocking texts, "only added"
 * and restock settings. There they all have to hold; what one list of conditions can't express is named in `left`.
 */
export function readWatchConditions(watch: Watch, left: string[]): Read {
  const values: Follow[] = [];
  const groups = [
    ...readRestock(watch, values, left),
    ...readConditions(watch, values, left),
    ...readBlockingTexts(watch, left),
    ...readOnly(watch, left),
  ];
  // A list joined by "any" can hold only one of them.
  const any = groups.find(({ match, conditions }) => match === "any" && conditions.length > 1);
  const used = any ? [any] : groups;
  for (const { name } of groups.filter((group) => !used.includes(group)))
    left.push(`${name} can't be combined with ${any?.name ?? "the others"}, and so left out.`);
  const conditions = used.flatMap((group) => group.conditions);
  return {
    alertIf: conditions.length > 0 ? { match: any ? "any" : "all", conditions } : null,
    values,
  };
}

/** The processor for shops; its settings were fields of the watch in older versions. */
function readRestock(watch: Watch, values: Follow[], left: string[]): Group[] {
  if (watch.processor !== "restock_diff") {
    // Older versions compared only the price that the page states for machines.
    if (watch.track_ldjson_price_data === "accepted") {
      values.push({ name: "price", by: "price", rule: "" });
      left.push("“Track the price in the page's data” follows the price; other changes are alerted, too.");
    }
    return [];
  }
  const given = [watch.processor_config_restock_diff, watch.restock_settings, watch].find(isRecord) ?? {};
  const stock =
    given.in_stock_processing ?? (given.in_stock_only === false ? "all_changes" : "in_stock_only");
  const followsPrice = given.follow_price_changes !== false;
  const name = "The restock settings";
  if (stock !== "off") values.push({ name: "stock", by: "availability", rule: "" });
  if (followsPrice) values.push({ name: "price", by: "price", rule: "" });
  const [minimum, maximum, threshold] = [
    numberOf(given.price_change_min),
    numberOf(given.price_change_max),
    numberOf(given.price_change_threshold_percent),
  ];
  const limits: Condition[] = [
    ...(minimum === null ? [] : [priceIs("below", minimum)]),
    ...(maximum === null ? [] : [priceIs("above", maximum)]),
  ];
  const moves: Condition[] = [priceIs("down", threshold ?? 0, true), priceIs("up", threshold ?? 0, true)];
  if (!followsPrice) {
    if (stock === "in_stock_only")
      left.push("“Only back in stock” is not kept: going out of stock is alerted, too.");
    return stock === "off"
      ? []
      : [{ match: "any", conditions: [{ what: "reason", kinds: ["value"] }], name }];
  }
  if (limits.length > 0 && threshold !== null)
    left.push(`The price's threshold of ${threshold}% is left out: its limits are used.`);
  if (stock === "all_changes" && limits.length === 0 && threshold === null)
    return [{ match: "any", conditions: [{ what: "reason", kinds: ["value"] }], name }];
  if (stock === "all_changes")
    left.push("“All availability changes” is not kept: only back in stock is alerted.");
  return [{ match: "any", conditions: limits.length > 0 ? limits : moves, name }];
}

const priceIs = (is: "below" | "above" | "up" | "down", amount: number, percent = false): Condition => ({
  what: "number",
  name: "price",
  is,
  amount,
  percent,
});

function numberOf(value: unknown): number | null {
  if (value === null || value === undefined || value === "") return null;
  return Number.isFinite(Number(value)) ? Number(value) : null;
}

function readConditions(watch: Watch, values: Follow[], left: string[]): Group[] {
  const conditions = records(watch.conditions).flatMap((given): Condition[] => {
    const textOf = (part: unknown) =>
      typeof part === "string" || typeof part === "number" ? String(part).slice(0, maxText + 1) : "";
    const [field, operator, value] = [textOf(given.field), textOf(given.operator), textOf(given.value)];
    // An unfinished row of their form.
    if ([field, operator].some((part) => part === "" || part === "None")) return [];
    const read =
      field === "extracted_number"
        ? readNumber(operator, value)
        : (readLimit(field, operator, value) ?? readText(field, operator, value));
    if (!read) left.push(`The condition “${shorten(`${field} ${operator} ${value}`, 200)}” isn’t supported.`);
    return read ? [read] : [];
  });
  if (conditions.some(({ what }) => what === "number"))
    values.push({ name: numberName, by: "number", rule: "" });
  const match = String(watch.conditions_match_logic).toUpperCase() === "ANY" ? "any" : "all";
  return conditions.length > 0 ? [{ match, conditions, name: "The conditions" }] : [];
}

function readNumber(operator: string, value: string): Condition | null {
  const amount = numberOf(value);
  const is = operator === ">" ? "above" : operator === "<" ? "below" : null;
  return amount === null || is === null
    ? null
    : { what: "number", name: numberName, is, amount, percent: false };
}

/** Their limits on the number of words and on how alike the texts are. */
function readLimit(field: string, operator: string, value: string): Condition | null {
  const amount = numberOf(value);
  const is = operator.startsWith(">") ? "above" : operator.startsWith("<") ? "below" : null;
  if (amount === null || is === null) return null;
  const isEqualToo = operator.endsWith("=");
  if (field === "word_count" && (!isEqualToo || Number.isInteger(amount)))
    return { what: "size", of: "words", is, amount: amount + (isEqualToo ? (is === "above" ? -1 : 1) : 0) };
  if (isEqualToo) return null;
  // Theirs is a share of 1.
  if (field === "levenshtein_ratio")
    return { what: "similarity", is, amount: Math.round(amount * 1_000) / 10 };
  return null;
}

function readText(field: string, operator: string, value: string): Condition | null {
  if (!["page_filtered_text", "page_text"].includes(field) || value.trim() === "") return null;
  // Theirs match in upper or lower case.
  const pattern = `/${value.replace(/(?<!\\)\//g, "\\/")}/i`;
  switch (operator) {
    case "in":
    case "contains":
      return { what: "text", is: "present", text: value };
    case "!in":
    case "!contains":
      return { what: "text", is: "absent", text: value };
    case "contains_regex":
      return { what: "text", is: "present", text: pattern };
    case "!contains_regex":
      return { what: "text", is: "absent", text: pattern };
    default:
      return null;
  }
}

function readBlockingTexts(watch: Watch, left: string[]): Group[] {
  const name = "“Block change-detection while text matches”";
  const given = texts(watch.text_should_not_be_present);
  const lost = given.length - maxBlockingTexts;
  if (lost > 0) left.push(`Of ${name}, all but the first ${maxBlockingTexts} texts are left out: ${lost}.`);
  const conditions = given
    .slice(0, maxBlockingTexts)
    .map((text): Condition => ({ what: "text", is: "absent", text: text.slice(0, maxText + 1) }));
  return conditions.length > 0 ? [{ match: "all", conditions, name }] : [];
}

/** Which sorts of changes count: lines that were added, removed or replaced. */
function readOnly(watch: Watch, left: string[]): Group[] {
  const [added, removed, replaced] = [
    watch.filter_text_added !== false,
    watch.filter_text_removed !== false,
    watch.filter_text_replaced !== false,
  ];
  if (added && removed && replaced) return [];
  const is = added && !removed ? "additions" : removed && !added ? "removals" : null;
  const sorts = [added && "added", removed && "removed", replaced && "replaced"].filter(Boolean).join(" or ");
  if (is === null || replaced)
    left.push(`“Only ${sorts || "no"} lines” is not kept exactly: see the job's conditions.`);
  if (is === null) return [];
  return [{ match: "all", conditions: [{ what: "only", is }], name: `“Only ${is}”` }];
}
