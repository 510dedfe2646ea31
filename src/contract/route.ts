import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";

/** Who may call: anyone, a signed-in account, or a provider that signs its request. */
type Access = "public" | "account" | "signed";

export type Route = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  access: Access;
  summary: string;
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
