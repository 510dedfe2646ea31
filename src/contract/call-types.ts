import type { z } from "zod";

type Part<R, K extends string> = R extends { [key in K]: infer S extends z.ZodType }
  ? Record<never, never> extends z.input<S>
    ? { [key in K]?: z.input<S> }
    : { [key in K]: z.input<S> }
  : unknown;

/** What a caller hands to a row of the route table. */
export type CallInput<R> = Part<R, "params"> &
  Part<R, "query"> &
  Part<R, "body"> &
  (R extends { bodyType: "multipart" } ? { body: FormData } : unknown);

/** What a row answers: what its schema says, or `Other` where that is not JSON. */
export type CallReply<R, Other> = R extends { reply: infer S extends z.ZodType } ? z.output<S> : Other;

type Values = Record<string, string | number | boolean | undefined>;

/** The address of a call: no value can leave its place in the path. */
export function callAddress(path: string, params: Values = {}, query: Values = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}
