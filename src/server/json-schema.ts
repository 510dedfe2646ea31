import { z } from "zod";

export type JsonSchema = {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  $ref?: string;
  [key: string]: unknown;
};

type Names = { nameOf: (schema: z.ZodType) => string | undefined; schemas: Record<string, JsonSchema> };

/**
 * A schema of the contract as JSON Schema. Those with a name are put into `schemas` and referred to; one that reads
 * otherwise as input than as output has two names. What is taken in knows no other fields, answers may grow.
 */
export function toSchema(schema: z.ZodType, io: "input" | "output", { nameOf, schemas }: Names): JsonSchema {
  // Descriptions are in Zod's own registry, names are ours.
  const registry = {
    get(one: z.ZodType) {
      const id = nameOf(one);
      const told = z.globalRegistry.get(one);
      return id === undefined ? told : { ...told, id };
    },
    has: (one: z.ZodType) => nameOf(one) !== undefined || z.globalRegistry.has(one),
  };
  const made = z.toJSONSchema(z.object({ it: schema }), {
    io,
    unrepresentable: "any",
    metadata: registry as unknown as typeof z.globalRegistry,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod as { def: { type: string; coerce?: boolean; catchall?: unknown } };
      if (def.type === "number" && def.coerce) jsonSchema.type ??= "number";
      if (def.type !== "object" || def.catchall) return;
      if (io === "input") jsonSchema.additionalProperties = false;
      else delete jsonSchema.additionalProperties;
    },
  }) as unknown as JsonSchema & { $defs?: Record<string, JsonSchema>; properties: { it: JsonSchema } };
  const defs = made.$defs ?? {};
  const isKnownOtherwise = (name: string, as: JsonSchema) =>
    schemas[name] !== undefined && JSON.stringify(schemas[name]) !== JSON.stringify(as);
  const text = (value: JsonSchema, names: Map<string, string>) =>
    JSON.parse(
      JSON.stringify(value).replace(/"#\/\$defs\/(\w+)"/g, (_, name: string) => {
        return `"#/components/schemas/${names.get(name) ?? name}"`;
      }),
    ) as JsonSchema;
  const plain = new Map<string, string>();
  const renamed = new Map(
    Object.entries(defs)
      .filter(([name, value]) => isKnownOtherwise(name, clean(text(value, plain))))
      .map(([name]) => [name, `${name}${io === "input" ? "Input" : "Output"}`]),
  );
  for (const [name, value] of Object.entries(defs)) {
    schemas[renamed.get(name) ?? name] = clean(text(value, renamed));
  }
  return clean(text(made.properties.it, renamed));
}

function clean(schema: JsonSchema): JsonSchema {
  const { id, $schema, ...rest } = schema;
  return id === undefined && $schema === undefined ? schema : rest;
}

/** What a call's body may hold, and whether it may be left out. */
export function bodySchema(body: z.ZodType): { schema: JsonSchema; isOptional: boolean } {
  const schema = toSchema(body, "input", { nameOf: () => undefined, schemas: {} });
  return { schema, isOptional: body.safeParse(undefined).success };
}

/** Of a body the first field that its schema does not know, with those that it does. */
export function findUnknownField(
  schema: JsonSchema,
  value: unknown,
  path = "",
): { path: string; known: string[] } | undefined {
  const ways = schema.anyOf;
  if (ways) {
    const found = ways.filter((way) => fits(way, value)).map((way) => findUnknownField(way, value, path));
    return found.includes(undefined) ? undefined : found[0];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return undefined;
    for (const [index, item] of value.entries()) {
      const found = findUnknownField(items, item, `${path}${index}.`);
      if (found) return found;
    }
    return undefined;
  }
  if (typeof value !== "object" || value === null || !schema.properties) return undefined;
  const known = Object.keys(schema.properties);
  for (const [name, held] of Object.entries(value)) {
    const field = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (field) {
      const found = findUnknownField(field, held, `${path}${name}.`);
      if (found) return found;
    } else if (schema.additionalProperties === false) return { path: `${path}${name}`, known };
  }
  return undefined;
}

function fits({ type }: JsonSchema, value: unknown): boolean {
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return type === undefined || type === kind || (type === "integer" && kind === "number");
}
