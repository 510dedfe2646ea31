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
 * Converts a schema of the contract to JSON Schema. Named schemas are put into `schemas` and referenced; a schema that
 * differs as input and as output gets two names. Inputs allow no other fields; replies may grow.
 */
export function toSchema(schema: z.ZodType, io: "input" | "output", { nameOf, schemas }: Names): JsonSchema {
  // The descriptions are in Zod's own registry; the names are ours.
  const registry = {
    get(one: z.ZodType) {
      const id = nameOf(one);
      const described = z.globalRegistry.get(one);
      return id === undefined ? described : { ...described, id };
    },
    has: (one: z.ZodType) => nameOf(one) !== undefined || z.globalRegistry.has(one),
  };
  const converted = z.toJSONSchema(z.object({ it: schema }), {
    io,
    unrepresentable: "any",
    metadata: registry as unknown as typeof z.globalRegistry,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod as { def: { type: string; coerce?: boolean; catchall?: unknown } };
      if (def.type === "number" && def.coerce) jsonSchema.type ??= "number";
      if (def.type === "tuple") boundTuple(jsonSchema as JsonSchema);
      if (def.type !== "object" || def.catchall) return;
      if (io === "input") jsonSchema.additionalProperties = false;
      else delete jsonSchema.additionalProperties;
    },
  }) as unknown as JsonSchema & { $defs?: Record<string, JsonSchema>; properties: { it: JsonSchema } };
  const defs = converted.$defs ?? {};
  const isKnownOtherwise = (name: string, as: JsonSchema) =>
    schemas[name] !== undefined && JSON.stringify(schemas[name]) !== JSON.stringify(as);
  const resolveReferences = (value: JsonSchema, names: Map<string, string>) =>
    JSON.parse(
      JSON.stringify(value).replace(/"#\/\$defs\/(\w+)"/g, (_, name: string) => {
        return `"#/components/schemas/${names.get(name) ?? name}"`;
      }),
    ) as JsonSchema;
  const noRenames = new Map<string, string>();
  const renamed = new Map(
    Object.entries(defs)
      .filter(([name, value]) => isKnownOtherwise(name, clean(resolveReferences(value, noRenames))))
      .map(([name]) => [name, `${name}${io === "input" ? "Input" : "Output"}`]),
  );
  for (const [name, value] of Object.entries(defs)) {
    schemas[renamed.get(name) ?? name] = clean(resolveReferences(value, renamed));
  }
  return clean(resolveReferences(converted.properties.it, renamed));
}

/** JSON Schema allows more or fewer elements than a tuple lists, unless they are counted. */
function boundTuple(schema: JsonSchema): void {
  const { length } = schema.prefixItems as unknown[];
  Object.assign(schema, { items: {}, minItems: length, maxItems: length });
}

function clean(schema: JsonSchema): JsonSchema {
  const { id, $schema, ...rest } = schema;
  return id === undefined && $schema === undefined ? schema : rest;
}

/** The schema of a call's body, and whether the body may be left out. */
export function bodySchema(body: z.ZodType): { schema: JsonSchema; isOptional: boolean } {
  const schema = toSchema(body, "input", { nameOf: () => undefined, schemas: {} });
  return { schema, isOptional: body.safeParse(undefined).success };
}

/** Finds the first field of a body that its schema doesn't know, and lists the fields that it does know. */
export function findUnknownField(
  schema: JsonSchema,
  value: unknown,
  path = "",
): { path: string; known: string[] } | undefined {
  const options = schema.anyOf;
  if (options) {
    const found = options.filter((one) => fits(one, value)).map((one) => findUnknownField(one, value, path));
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
  for (const [name, fieldValue] of Object.entries(value)) {
    const field = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (field) {
      const found = findUnknownField(field, fieldValue, `${path}${name}.`);
      if (found) return found;
    } else if (schema.additionalProperties === false) return { path: `${path}${name}`, known };
  }
  return undefined;
}

function fits({ type }: JsonSchema, value: unknown): boolean {
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return type === undefined || type === kind || (type === "integer" && kind === "number");
}
