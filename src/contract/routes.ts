import { z } from "zod";
import {
  AccountDeletion,
  AccountUpdate,
  LinkToken,
  Login,
  LoginReply,
  Mail,
  MailSummary,
  Me,
  NewAccount,
  NewPassword,
  NotificationSettings,
  Outcome,
  RecoverRequest,
  Site,
} from "./account.ts";
import {
  BillingState,
  Invoice,
  PaymentToken,
  PlanOffer,
  PlanParams,
  PreparedPayment,
  SandboxClock,
  SandboxPayment,
} from "./billing.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import type { ErrorCode } from "./errors.ts";
import { jobRoutes } from "./job-routes.ts";
import { reportRoutes } from "./report-routes.ts";
import { viewerRoutes } from "./viewer-routes.ts";

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
  /** What the body is when it is not JSON. */
  bodyType?: "multipart" | "form" | "bytes";
};

/** One row per endpoint: the server registers from it, the web client calls from it, OpenAPI is made of it. */
export const routes = {
  register: {
    method: "POST",
    path: "/api/auth/register",
    access: "public",
    summary: "Sign up; an activation link is mailed",
    body: NewAccount,
    reply: Outcome,
    invalid: "REGISTER_FAILED",
  },
  login: {
    method: "POST",
    path: "/api/auth/login",
    access: "public",
    summary: "Sign in; also sets the session cookie",
    body: Login,
    reply: LoginReply,
    invalid: "LOGIN_FAILED",
  },
  demo: {
    method: "POST",
    path: "/api/auth/demo",
    access: "public",
    summary: "Sign into the demo account; only in demo mode",
    reply: LoginReply,
  },
  logout: {
    method: "POST",
    path: "/api/auth/logout",
    access: "account",
    summary: "End this session",
    reply: Outcome,
  },
  activate: {
    method: "GET",
    path: "/api/registration/activate/:token",
    access: "public",
    summary: "Activate an account by its mailed token",
    params: LinkToken,
    reply: Outcome,
    invalid: "ACTIVATION_FAILED",
  },
  recover: {
    method: "POST",
    path: "/api/recover",
    access: "public",
    summary: "Mail a recovery link",
    body: RecoverRequest,
    reply: Outcome,
    invalid: "RECOVER_LINK_FAILED",
  },
  resetPassword: {
    method: "PATCH",
    path: "/api/recover/:token",
    access: "public",
    summary: "Set a new password by a mailed token; ends every session",
    params: LinkToken,
    body: NewPassword,
    reply: Outcome,
    invalid: "PASSWORD_RESET_FAILED",
  },
  me: {
    method: "GET",
    path: "/api/me",
    access: "account",
    summary: "The signed-in user",
    reply: Me,
  },
  updateMe: {
    method: "PATCH",
    path: "/api/me/update",
    access: "account",
    summary: "Change the names; empty fields keep the current values",
    body: AccountUpdate,
    reply: Outcome,
  },
  deleteMe: {
    method: "DELETE",
    path: "/api/me",
    access: "account",
    summary: "Delete the account and everything it owns",
    body: AccountDeletion,
    reply: Outcome,
  },
  putPhoto: {
    method: "PUT",
    path: "/api/me/photo",
    access: "account",
    summary: "Replace the photo (multipart, field 'photo': JPEG, PNG or WebP)",
    bodyType: "multipart",
    reply: Outcome,
  },
  photo: {
    method: "GET",
    path: "/api/me/photo",
    access: "account",
    summary: "The photo",
    reply: "image/webp",
  },
  updateNotificationSettings: {
    method: "PATCH",
    path: "/api/settings/notifications",
    access: "account",
    summary: "Switch notification channels on or off",
    body: NotificationSettings,
    reply: Outcome,
  },
  listPlans: {
    method: "GET",
    path: "/api/payment/plans",
    access: "account",
    summary: "The plans, the current one marked",
    reply: z.array(PlanOffer),
  },
  listInvoices: {
    method: "GET",
    path: "/api/payment/billing",
    access: "account",
    summary: "What was billed, newest first",
    reply: z.array(Invoice),
  },
  billingState: {
    method: "GET",
    path: "/api/payment/subscription",
    access: "account",
    summary: "The running subscription, and usage against the plan's limits",
    reply: BillingState,
  },
  preparePayment: {
    method: "GET",
    path: "/api/payment/prepare/:planId",
    access: "account",
    summary: "Prepare a checkout; changes nothing by itself",
    params: PlanParams,
    reply: PreparedPayment,
    invalid: "PAYMENT_UNKNOWN_PLAN",
  },
  changePlan: {
    method: "POST",
    path: "/api/payment/change",
    access: "account",
    summary: "Move a running subscription to the prepared plan",
    body: PaymentToken,
    reply: Outcome,
  },
  cancelSubscription: {
    method: "POST",
    path: "/api/payment/cancel",
    access: "account",
    summary: "Cancel at the end of the billing period",
    reply: Outcome,
  },
  resumeSubscription: {
    method: "POST",
    path: "/api/payment/resume",
    access: "account",
    summary: "Take back a cancellation before it takes effect",
    reply: Outcome,
  },
  billingWebhook: {
    method: "POST",
    path: "/api/payment/webhook",
    access: "signed",
    summary: "The payment provider's events",
    bodyType: "bytes",
    reply: Outcome,
  },
  completeSandboxPayment: {
    method: "POST",
    path: "/api/payment/sandbox/complete",
    access: "account",
    summary: "Pay in the built-in checkout; only without Paddle",
    body: SandboxPayment,
    reply: Outcome,
  },
  advanceSandboxClock: {
    method: "POST",
    path: "/api/payment/sandbox/advance",
    access: "account",
    summary: "Move the built-in checkout's clock for one's own subscription; only without Paddle",
    body: SandboxClock,
    reply: Outcome,
  },
  site: {
    method: "GET",
    path: "/api/site",
    access: "public",
    summary: "What the public pages tell of this installation",
    reply: Site,
  },
  portrait: {
    method: "GET",
    path: "/api/site/portrait",
    access: "public",
    summary: "The picture of /about",
    reply: "image/*",
  },
  health: {
    method: "GET",
    path: "/healthz",
    access: "public",
    summary: "The process is alive",
    reply: z.object({ status: z.literal("ok") }),
  },
  readiness: {
    method: "GET",
    path: "/readyz",
    access: "public",
    summary: "Database and queue are reachable; 503 when not",
    reply: z.object({ status: z.literal("ready") }),
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    access: "public",
    summary: "Prometheus metrics",
    reply: "text/plain",
  },
  listMails: {
    method: "GET",
    path: "/api/mailbox",
    access: "public",
    summary: "Mails kept locally; only on loopback without SMTP_URL",
    reply: z.object({ mails: z.array(MailSummary) }),
  },
  readMail: {
    method: "GET",
    path: "/api/mailbox/:id",
    access: "public",
    summary: "One locally kept mail",
    params: z.object({ id: z.string().max(100) }),
    reply: Mail,
  },
  ...jobRoutes,
  ...reportRoutes,
  ...viewerRoutes,
  ...deliveryRoutes,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

/** Paths the web application draws; every other path is answered 404. */
export const webPaths = [
  "/",
  "/login",
  "/register",
  "/register/finished/:email",
  "/recover",
  "/recover/:token",
  "/account/activate/:token",
  "/dashboard",
  "/share/:token",
  "/terms-and-conditions",
  "/privacy",
  "/about",
  "/mailbox",
] as const;
