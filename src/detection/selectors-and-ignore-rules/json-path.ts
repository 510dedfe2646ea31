import { jsonpath } from "json-p3";
import type { Budget } from "./rule-budget.ts";
import { RuleError } from "./rule-error.ts";

/** The keys and indexes that lead from a document's root to one of its values. */
export type Location = (string | number)[];

// Deeper than any real document; the library would otherwise give up at its own, lower limit.
const environment = new jsonpath.JSONPathEnvironment({ maxRecursionDepth: 1000 });

/** Parses a JSONPath query (RFC 9535); the returned function gives the values that it selects, with their locations. */
export function readJsonPath(
  text: string,
): (document: unknown, budget: Budget) => { location: Location; value: unknown }[] {
  const query = compile(text.trim());
  return (document, budget) => {
    budget.chargeTo(`jsonpath:${text}`);
    // The library doesn't expose its steps, so its time is measured instead.
    const { nodes } = budget.run(() => query.query(document as Parameters<typeof query.query>[0]));
    return nodes.map(({ location, value }) => ({ location: location as Location, value }));
  };
}

function compile(text: string) {
  try {
    return environment.compile(text);
  } catch (error) {
    if (!(error instanceof jsonpath.JSONPathError)) throw error;
    const reason = error.message.replace(/ \('[^]*$/, "");
    throw new RuleError(`This is not a JSONPath: ${reason}`, error.token.index);
  }
}
