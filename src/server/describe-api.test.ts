import { expect, test } from "vitest";
import type { z } from "zod";
import type { Route } from "#contract/route.ts";
import { routes } from "#contract/routes.ts";
import { apiExamples } from "./api-examples.ts";
import { describeApi } from "./describe-api.ts";
import { bodySchema, findUnknownField } from "./json-schema.ts";

type Operation = {
  operationId: string;
  security: object[];
  responses: Record<string, object>;
};

const document = describeApi();
const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[]);

test("every call has a name, a rule of access, its answer and its refusals", () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(routes).sort());
  for (const { operationId, security, responses } of operations) {
    const { access } = (routes as Record<string, Route>)[operationId] as Route;
    expect([operationId, security.length > 0]).toEqual([operationId, access !== "public"]);
    expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining(["default"])]);
  }
});

test("every call that takes a body shows one", () => {
  const without = Object.entries(routes as Record<string, Route>).filter(
    ([name, { body }]) => body && !(name in apiExamples),
  );
  expect(without.map(([name]) => name)).toEqual([]);
});

test.each(Object.entries(apiExamples))("the example of %s is taken", (name, example) => {
  const { body } = (routes as Record<string, Route>)[name] as Route & { body: z.ZodType };
  expect(body.safeParse(example).error).toBeUndefined();
  expect(findUnknownField(bodySchema(body).schema, example)).toBeUndefined();
});

test("what is taken in knows no other fields, answers may grow, and inputs and answers of one name differ in name", () => {
  const { schemas } = document.components;
  expect(schemas.NewJob).toMatchObject({
    additionalProperties: false,
    required: ["name", "url", "frequency", "groupId"],
    properties: {
      frequency: { type: "integer", minimum: 1 },
      trigger: { anyOf: [{ $ref: "#/components/schemas/Trigger" }, { type: "null" }] },
    },
  });
  expect(schemas.Job).not.toHaveProperty("additionalProperties");
  const text = JSON.stringify(document);
  const referred = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name));
  expect([...referred].filter((name) => !schemas[name ?? ""])).toEqual([]);
});
