import type { z } from "zod";
import type { Scope } from "#accounts/api-key-scopes.ts";
import type { ErrorCode } from "./errors.ts";

/** Who may call: anyone, a signed-in account, or a provider that signs its request. */
type Access = "public" | "account" | "signed";

export type Route = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  access: Access;
  summary: string;
  /** The scope that an API key needs; "session" if no key may call it. `scopeOf` has the default. */
  scope?: Scope | "session";
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The schema of the JSON reply, or a content type if the reply isn't JSON. */
  reply: z.ZodType | `${string}/${string}`;
  /** The error code for invalid input, if the specification names one. */
  invalid?: ErrorCode;
  /** The HTTP status on success, if it isn't 200. */
  status?: 202;
  /** Visitors of the demo account may call this although it writes; they may always read. */
  demo?: true;
  /** Whether HEAD is answered like GET, without the body. */
  head?: true;
  /** The type of the body, if it isn't JSON. */
  bodyType?: "multipart" | "form" | "bytes";
};

/** The scope that a route needs. Without its own `scope`, a GET needs "read", any other call "everything". */
export function scopeOf(route: Pick<Route, "method" | "scope">): Scope | "session" {
  return route.scope ?? (route.method === "GET" ? "read" : "everything");
}
