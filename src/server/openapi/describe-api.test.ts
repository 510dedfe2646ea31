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

const document = describeApi({
  baseUrl: "http://localhost:3000",
  supportEmail: "support@watchglass.example",
});
const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[]);

test("every endpoint has an operation id, its access rule and a default response", () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(routes).sort());
  for (const { operationId, security, responses } of operations) {
    const { access } = (routes as Record<string, Route>)[operationId] as Route;
    expect([operationId, security.length > 0]).toEqual([operationId, access !== "public"]);
    expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining(["default"])]);
  }
});

test("every endpoint that takes a body has an example", () => {
  const withoutExample = Object.entries(routes as Record<string, Route>).filter(
    ([name, { body }]) => body && !(name in apiExamples),
  );
  expect(withoutExample.map(([name]) => name)).toEqual([]);
});

test.each(Object.entries(apiExamples))("the example of %s is valid", (name, example) => {
  const { body } = (routes as Record<string, Route>)[name] as Route & { body: z.ZodType };
  expect(body.safeParse(example).error).toBeUndefined();
  expect(findUnknownField(bodySchema(body).schema, example)).toBeUndefined();
});

test("request schemas refuse unknown fields, response schemas allow them, and every reference resolves", () => {
  const { schemas } = document.components;
  expect(schemas.NewJob).toMatchObject({
    additionalProperties: false,
    required: ["url", "frequency", "groupId"],
    properties: {
      frequency: { type: "integer", minimum: 1 },
      trigger: { anyOf: [{ $ref: "#/components/schemas/Trigger" }, { type: "null" }] },
    },
  });
  expect(schemas.Job).not.toHaveProperty("additionalProperties");
  const text = JSON.stringify(document);
  const referenced = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name));
  expect([...referenced].filter((name) => !schemas[name ?? ""])).toEqual([]);
});
