import type { Answer, Expected, Scenario } from "../../scenario.ts";

type Body = string | Answer;
/** A job's rules, what the site serves one check after the other, and what each check after the first should give. */
export type RuleRow = [
  name: string,
  job: NonNullable<Scenario["job"]>,
  serves: Body[],
  ...expect: Expected[],
];

/** One scenario per row; each pair of pages is the whole input, so that a row reads like an example. */
export const byRule = (group: string, wrap: (body: string) => Body, rows: RuleRow[]): Scenario[] =>
  rows.map(([name, job, serves, ...expect]) => ({
    class: group,
    name,
    job,
    serves: serves.map((body) => (typeof body === "string" ? wrap(body) : body)),
    expect,
  }));

export const page = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Watched</title></head><body>${body}</body></html>`;
export const json = (body: string): Answer => ({ body, type: "application/json" });
export const text = (body: string): Answer => ({ body, type: "text/plain; charset=utf-8" });
export const xml =
  (type = "application/xml") =>
  (body: string): Answer => ({ body: `<?xml version="1.0" encoding="UTF-8"?>${body}`, type });
