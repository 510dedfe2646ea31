import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { Scope } from "./scopes.ts";

/** Who may call: anyone, a signed-in account, or a provider that signs its request. */
type Access = "public" | "account" | "signed";

export type Route = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  access: Access;
  summary: string;
  /** What a key must be allowed to call it; "session" where no key will do. See `scopeOf` for what holds without. */
  scope?: Scope | "session";
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The JSON answer; a content type where the answer is not JSON. */
  reply: z.ZodType | `${string}/${string}`;
  /** The code that refuses a bad input, where the specification names one. */
  invalid?: ErrorCode;
  /** The status of success, where it is not 200. */
  status?: 202;
  /** Visitors of the demo account may write here too; reading they always may. */
  demo?: true;
  /** What the body is when it is not JSON. */
  bodyType?: "multipart" | "form" | "bytes";
};

/** Reading needs a key that reads; whatever says nothing else needs one that may do everything. */
export function scopeOf(route: Pick<Route, "method" | "scope">): Scope | "session" {
  return route.scope ?? (route.method === "GET" ? "read" : "everything");
}
