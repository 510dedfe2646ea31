import { expect, test } from "vitest";
import { type RouteName, routes } from "#contract/routes.ts";
import { listGrowingCalls } from "#server/testing/walk-hostile.ts";
import type { WalkedAccount } from "#server/testing/walked-account.ts";
import { validBodies, validQueries } from "#server/testing/walked-inputs.ts";
import type { Caller } from "./product.ts";
import { listUploads } from "./uploads.ts";

const id = "00000000-0000-4000-8000-000000000000";
const walked = new Proxy({ url: "http://127.0.0.1:8080/" } as unknown as WalkedAccount, {
  get: (target, key) => Reflect.get(target, key) ?? (key === "lineId" ? "1" : id),
});

test("each route that takes a body, a file or a query has growing inputs", () => {
  const takesInput = (name: RouteName) => ["body", "bodyType", "query"].some((part) => part in routes[name]);
  const grown = new Set<string>([
    ...[...listGrowingCalls(walked)].map(({ name }) => name),
    ...listUploads({} as Caller).map(({ call }) => call),
  ]);
  expect((Object.keys(routes) as RouteName[]).filter((name) => takesInput(name) && !grown.has(name))).toEqual(
    [],
  );
});

test("what grows begins as a body or query that its route accepts", () => {
  const refused: string[] = [];
  for (const [part, inputs] of [
    ["body", validBodies(walked)],
    ["query", validQueries(walked)],
  ] as const)
    for (const [name, input] of Object.entries(inputs)) {
      const schema = (routes[name as RouteName] as Record<string, unknown>)[part] as {
        safeParse(value: unknown): { success: boolean; error?: Error };
      };
      const given = name === "createJob" ? { name: "Grown", ...input } : input;
      const { success, error } = schema.safeParse(given);
      if (!success) refused.push(`${name}: ${error?.message}`);
    }
  expect(refused).toEqual([]);
});

test("every part of a body is grown, also the entries of lists", () => {
  const inputs = [...listGrowingCalls(walked)]
    .filter(({ name }) => name === "updateJob")
    .map(({ input }) => input.split(": ")[0]);
  for (const at of [
    "name",
    "pageSteps",
    "pageSteps.[0].selectors",
    "pageSteps.[0].selectors.[0].[0]",
    "alertIf.conditions.[1].text",
    "values.[0].rule",
    "stepSecrets.[0].value",
    "browser.language",
    "trigger.headers.[0].value",
    "notInherited.ignore.[0]",
    "tags.[0]",
  ])
    expect(inputs).toContain(at);
});
