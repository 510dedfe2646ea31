import { validatorCompiler } from "fastify-type-provider-zod";
import { expect, test } from "vitest";
import { z } from "zod";
import { routes } from "#contract/routes.ts";
import { describeProblem, type Problem } from "./describe-problem.ts";

function refusalOf(schema: z.ZodType, input: unknown): string {
  const check = validatorCompiler({ schema } as never) as (input: unknown) => { error?: Problem[] };
  const [problem] = check(input).error ?? [];
  return problem ? describeProblem(problem) : "";
}

const Sample = z.object({
  name: z.union([z.literal(""), z.string().max(3, "Name is too long.")]).optional(),
  count: z.int().min(1).max(9).optional(),
  when: z.iso.datetime().optional(),
  id: z.uuid().optional(),
  way: z.enum(["in", "out"]).optional(),
  tags: z.array(z.string().min(2)).max(2).optional(),
  on: z.boolean(),
});

test.each([
  [undefined, "The request body is missing."],
  ["text", "The request body must be an object."],
  [{}, "The field “on” is missing."],
  [{ on: "yes" }, "The field “on” must be true or false."],
  [{ on: true, name: "long" }, "Name is too long."],
  [{ on: true, count: 0 }, "The field “count” must be at least 1."],
  [{ on: true, count: 1.5 }, "The field “count” must be a whole number."],
  [{ on: true, when: "soon" }, "The field “when” must be a time such as 2026-01-31T12:00:00Z."],
  [{ on: true, id: "one" }, "The field “id” is not valid."],
  [{ on: true, way: "up" }, "The field “way” must be one of: in, out."],
  [{ on: true, tags: ["a"] }, "The field “tags.0” must be at least 2 characters."],
  [{ on: true, tags: ["aa", "bb", "cc"] }, "The field “tags” must be at most 2 entries."],
])("%j is refused with a readable message", (input, message) => {
  expect(refusalOf(Sample, input)).toBe(message);
});

// Whatever a caller sends, the message is ours and not the schema library's.
const bodies = Object.entries(routes).flatMap(([name, route]) =>
  "body" in route && route.body ? [[name, route.body as z.ZodType] as const] : [],
);
const nonsense = [undefined, null, [], "text", {}, { name: 1 }, { email: 1, password: 2, firstname: 3 }];

test.each(bodies)("no refusal of %s contains the schema library's wording", (_, body) => {
  for (const input of nonsense) {
    expect(refusalOf(body, input)).not.toMatch(/invalid input|expected|received|too (small|big):/i);
  }
});
