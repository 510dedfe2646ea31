import { z } from "zod";

/** Every refusal a caller can get: its HTTP status and its default message. */
const refusals = {
  LOGIN_FAILED: [401, "The email address or the password is wrong."],
  REGISTER_FAILED: [400, "The account could not be created."],
  ACTIVATION_FAILED: [
    400,
    "This activation link is no longer valid. If the account is not activated yet, sign in or sign up again to get a new one.",
  ],
  RECOVER_LINK_FAILED: [400, "The recovery link could not be sent."],
  PASSWORD_RESET_FAILED: [400, "This recovery link is no longer valid. Request a new one."],
  INVALID_INPUT: [400, "The request is not valid."],
  INVALID_JSON: [400, "The request body is not valid JSON."],
  PASSWORD_WRONG: [403, "The password is wrong."],
  PHOTO_INVALID: [400, "The photo must be a JPEG, PNG or WebP picture of at most 5 MiB and 20 megapixels."],
  PLAN_LIMIT_REACHED: [403, "Your plan does not allow this."],
  PAYMENT_UNKNOWN_PLAN: [404, "There is no such plan."],
  PAYMENT_FREE_PLAN: [400, "The Basic plan is free: there is nothing to pay."],
  PAYMENT_ALREADY_ON_PLAN: [409, "You are already on this plan."],
  PAYMENT_TOKEN_INVALID: [400, "This checkout is no longer valid. Nothing was charged. Start it again."],
  PAYMENT_DECLINED: [402, "The card was declined. Nothing was charged."],
  PAYMENT_UNAVAILABLE: [
    503,
    "The payment provider cannot be reached. Nothing was changed. Try again in a minute.",
  ],
  NO_SUBSCRIPTION: [409, "There is no running subscription."],
  TARGET_NOT_ALLOWED: [400, "This address cannot be watched."],
  DEMO_READ_ONLY: [403, "The demo is read-only. Sign up to watch your own pages."],
  CHANNEL_FAILED: [502, "The message could not be sent."],
  NAME_TAKEN: [409, "This name is already in use."],
  CONFLICT: [409, "This is not possible in the current state."],
  SCOPE_MISSING: [403, "This API key may not do this."],
  UNAUTHENTICATED: [401, "Sign in to continue."],
  FORBIDDEN_ORIGIN: [403, "This request didn’t come from Watchglass’s own pages."],
  NOT_FOUND: [404, "There is nothing here."],
  TOO_SLOW: [
    408,
    "The request arrived too slowly, so we stopped waiting for it. Try again on a faster connection.",
  ],
  TOO_LARGE: [413, "The request is too large."],
  UNSUPPORTED_MEDIA_TYPE: [415, "The request body must be JSON."],
  RATE_LIMITED: [429, "Too many requests. Try again later."],
  NOT_READY: [503, "The service is not ready."],
  INTERNAL: [500, "Something went wrong on our side."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof refusals;

/** Refuses a call. The codes are a closed list; the message can be shown to a person. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** The invalid part of the input, such as "trigger.url". */
  readonly field: string | undefined;

  constructor(
    code: ErrorCode,
    message?: string,
    options: { retryAfterSeconds?: number; field?: string } = {},
  ) {
    super(message ?? refusals[code][1]);
    this.name = "AppError";
    this.code = code;
    this.status = refusals[code][0];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.field = options.field;
  }
}

const codes = Object.keys(refusals) as [ErrorCode, ...ErrorCode[]];

/** The response body of every refusal. */
export const Problem = z.object({
  code: z.enum(codes),
  message: z.string().describe("A sentence that can be shown to the user"),
  field: z.string().optional().describe('The invalid part of the input, such as "trigger.url"'),
  id: z.string().optional().describe("Id of an error on our side, to quote in a support request"),
});
