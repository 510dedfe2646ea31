import type { z } from "zod";
import { type RouteName, routes } from "#contract/routes.ts";
import { bodySchema, findUnknownField } from "../openapi/json-schema.ts";

const limits = { ms: 10, problems: 50 };

const expected = new Map<RouteName, ReturnType<typeof bodySchema>["schema"]>();

/**
 * Whether a call's handler can't tell a small body from a large one: the large one is refused by the code that also
 * refuses it in the server, or what its schema passes on is the same for both. False for a body that takes long here
 * or that causes many problems, because describing them may take long too: it has to be sent to be measured.
 */
export function isOnlySeenBySchema(name: RouteName, small: unknown, large: unknown): boolean {
  const { body: schema } = routes[name] as { body?: z.ZodType };
  if (!schema || typeof large === "string") return false;
  const fields = expected.get(name) ?? bodySchema(schema).schema;
  expected.set(name, fields);
  const received: unknown = JSON.parse(JSON.stringify(large));
  const started = performance.now();
  const hasUnknownField = findUnknownField(fields, received) !== undefined;
  const { success, error, data } = schema.safeParse(received);
  if (performance.now() - started > limits.ms) return false;
  if (hasUnknownField) return true;
  if (!success) return error.issues.length <= limits.problems;
  const passedOn = schema.safeParse(small).data;
  return passedOn !== undefined && JSON.stringify(passedOn) === JSON.stringify(data);
}
