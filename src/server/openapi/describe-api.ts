import { z } from "zod";
import { scopes } from "#accounts/api-key-scopes.ts";
import * as account from "#contract/account.ts";
import * as apiKey from "#contract/api-key.ts";
import * as audit from "#contract/audit.ts";
import * as billing from "#contract/billing.ts";
import * as bulkAction from "#contract/bulk-action.ts";
import * as change from "#contract/change.ts";
import * as delivery from "#contract/delivery.ts";
import * as pace from "#contract/delivery-schedule.ts";
import { Problem } from "#contract/errors.ts";
import * as evidence from "#contract/evidence.ts";
import * as feedAddress from "#contract/feed-address.ts";
import * as identities from "#contract/identity.ts";
import * as imported from "#contract/import.ts";
import * as incident from "#contract/incident.ts";
import * as job from "#contract/job.ts";
import * as noise from "#contract/noise.ts";
import * as pageBlock from "#contract/page-block.ts";
import * as proxies from "#contract/proxy.ts";
import * as push from "#contract/push.ts";
import * as report from "#contract/report.ts";
import { type Route, scopeOf } from "#contract/route.ts";
import { type RouteName, routes } from "#contract/routes.ts";
import * as searchAlert from "#contract/search-alert.ts";
import * as secondOpinion from "#contract/second-opinion.ts";
import * as share from "#contract/share.ts";
import * as template from "#contract/template.ts";
import * as timeline from "#contract/timeline.ts";
import * as triggerRun from "#contract/trigger-run.ts";
import { apiExamples } from "./api-examples.ts";
import { bodySchema, type JsonSchema, toSchema } from "./json-schema.ts";

/** The schemas that have a name in the document: those that the contract exports. */
const schemaNames = new Map<z.ZodType, string>(
  Object.entries({
    Problem,
    ...account,
    ...apiKey,
    ...audit,
    ...billing,
    ...bulkAction,
    ...change,
    ...delivery,
    ...evidence,
    ...feedAddress,
    ...imported,
    ...incident,
    ...job,
    ...noise,
    ...pace,
    ...pageBlock,
    ...push,
    ...report,
    ...share,
    ...template,
    ...proxies,
    ...identities,
    ...secondOpinion,
    ...searchAlert,
    ...timeline,
    ...triggerRun,
  }).flatMap(([name, value]) => (value instanceof z.ZodType ? [[value as z.ZodType, name]] : [])),
);

const areas: Record<string, string> = {
  auth: "Sign-up, sign-in and sign-out",
  registration: "Activation of a new account",
  recover: "Recovery of a forgotten password",
  me: "The account and its channels",
  settings: "Notification settings",
  keys: "API keys",
  jobs: "Groups, jobs, executions, comparisons and exports",
  "bulk-actions": "Actions on several jobs, and their undo",
  changes: "Changes of all jobs",
  mcp: "Tools for AI agents (MCP)",
  import: "Import from archives and other tools",
  export: "Export of the whole account",
  feeds: "Feeds: their secret addresses",
  feed: "Feeds: their content",
  analytics: "The dashboard's numbers",
  notifications: "Notifications",
  evidence: "Fingerprints and time stamps of captures",
  events: "Live events",
  often: "Parts of a page that change often",
  search: "Search in everything that was captured",
  incidents: "Changes of several pages that have one cause",
  "search-alerts": "Alerts about what first appears on any page",
  share: "Public links to one comparison",
  reports: "Reports as PDF",
  "second-opinion": "The language model that gives a second opinion about changes",
  triggers: "HTTP triggers",
  payment: "Plans, payments and invoices",
  unsubscribe: "Unsubscribe links in alert mails",
  telegram: "Webhook of the Telegram bot",
  site: "What the public pages show about this installation",
  mailbox: "The local mailbox",
  operations: "Health and metrics",
};

/** Who signs the calls that are authenticated by a signature. */
const signers: Partial<Record<RouteName, string>> = { billingWebhook: "paddle", telegramWebhook: "telegram" };

const refusals = {
  400: ["BadRequest", "The input is not valid. The message says why, and `field` names the field."],
  401: ["Unauthenticated", "You aren't signed in, or the API key doesn't work."],
  403: ["Forbidden", "The key's scope or the plan does not allow it."],
  404: ["NotFound", "It does not exist, or it belongs to another account."],
  413: ["TooLarge", "The request is larger than 256 KiB (a photo: 5 MiB, an import: 1 GiB)."],
  415: ["UnsupportedMediaType", "The body does not have the type that this call accepts."],
  429: ["TooManyRequests", "Too many requests; Retry-After says when to try again."],
  default: ["Refused", "Any other error, with its code and a sentence that can be shown to users."],
} as const;

/** What the document says about the installation that it describes. */
export type Installation = { baseUrl: string; supportEmail: string };

/** Describes the whole contract as OpenAPI 3.1, generated from the route table. */
export function describeApi({ baseUrl, supportEmail }: Installation) {
  const schemas: Record<string, JsonSchema> = {};
  /** Refers to a schema by its name, or inlines it if it has none. */
  const refer = (schema: z.ZodType, io: "input" | "output") =>
    toSchema(schema, io, { nameOf: (one) => schemaNames.get(one), schemas });
  // Replies come first: if a schema differs as input, the input gets the longer name.
  for (const { reply } of Object.values<Route>(routes)) if (typeof reply !== "string") refer(reply, "output");
  refer(Problem, "output");
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operation(name as RouteName, route, refer),
    };
  }
  const used = new Set(Object.values<Route>(routes).map(areaOf));
  return {
    openapi: "3.1.0",
    info: {
      title: "Watchglass",
      version: "1",
      description:
        "Watches web pages and tells you what changed. Programs call with an API key from the profile: `Authorization: Bearer wg_…`.",
      contact: { name: "Support", email: supportEmail },
      license: { name: "Proprietary", url: `${baseUrl}/terms-and-conditions` },
    },
    servers: [{ url: "/", description: "This installation" }],
    tags: [...used].map((area) => ({ name: area, description: areas[area] ?? area })),
    paths,
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "session", description: "Set by signing in" },
        bearer: { type: "http", scheme: "bearer", description: "An API key (wg_…), or a session's token" },
        paddle: { type: "apiKey", in: "header", name: "Paddle-Signature" },
        telegram: { type: "apiKey", in: "header", name: "X-Telegram-Bot-Api-Secret-Token" },
      },
      responses: Object.fromEntries(
        Object.values(refusals).map(([name, description]) => [
          name,
          {
            description,
            ...(name === "TooManyRequests"
              ? { headers: { "Retry-After": { description: "Seconds", schema: { type: "integer" } } } }
              : {}),
            content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
          },
        ]),
      ),
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const areaOf = ({ path }: Pick<Route, "path">) =>
  path.startsWith("/api/") ? (path.split("/")[2] ?? "") : "operations";

type Refer = (schema: z.ZodType, io: "input" | "output") => JsonSchema;

function operation(name: RouteName, route: Route, refer: Refer): object {
  return {
    operationId: name,
    summary: route.summary,
    description: describeAccess(route),
    tags: [areaOf(route)],
    security: securityOf(name, route),
    ...parameters(route),
    ...requestBody(name, route, refer),
    responses: responses(route, refer),
  };
}

function describeAccess(route: Route): string {
  if (route.access === "signed") return "Authenticated by the sender's signature or secret.";
  if (route.access === "public")
    return route.path.includes(":token") ? "Anyone with the link may call it." : "Anyone may call it.";
  const scope = scopeOf(route);
  return scope === "session"
    ? "Only for signed-in users; API keys are refused."
    : `Scope: ${scope} (${scopes[scope]}).`;
}

function securityOf(name: RouteName, { access, scope }: Route): object[] {
  if (access === "public") return [];
  if (access === "signed") return [{ [signers[name] ?? ""]: [] }];
  return scope === "session" ? [{ session: [] }] : [{ bearer: [] }, { session: [] }];
}

/** Parameters are listed one by one, not as one named object. */
const nameless = { nameOf: () => undefined, schemas: {} };

function parameters({ params, query }: Route): object {
  const list = [
    ...(params ? [["path", params] as const] : []),
    ...(query ? [["query", query] as const] : []),
  ].flatMap(([location, schema]) => {
    const { properties = {}, required = [] } = toSchema(schema, "input", nameless);
    return Object.entries(properties).map(([name, { description, ...rest }]) => ({
      name,
      in: location,
      required: location === "path" || required.includes(name),
      ...(description ? { description } : {}),
      schema: rest,
    }));
  });
  return list.length > 0 ? { parameters: list } : {};
}

function requestBody(name: RouteName, { body, bodyType }: Route, refer: Refer): object {
  if (bodyType === "multipart") {
    const field = name === "putPhoto" ? "photo" : "file";
    const file = { type: "string", contentMediaType: "application/octet-stream" };
    const schema = { type: "object", required: [field], properties: { [field]: file } };
    return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
  }
  if (bodyType === "form") {
    const content = { "application/x-www-form-urlencoded": { schema: { type: "object" } } };
    return { requestBody: { required: false, content } };
  }
  if (bodyType === "bytes") {
    return {
      requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
    };
  }
  if (!body) return {};
  const example = apiExamples[name];
  const content = {
    "application/json": { schema: refer(body, "input"), ...(example ? { example } : {}) },
  };
  return { requestBody: { required: !bodySchema(body).isOptional, content } };
}

function responses(route: Route, refer: Refer): object {
  const { reply, status = 200, access, params, query, body, bodyType, path } = route;
  const hasBody = body !== undefined || bodyType !== undefined;
  const isCall = path.startsWith("/api/");
  const codes: (keyof typeof refusals)[] = [
    ...(hasBody || query || route.invalid ? [400 as const] : []),
    ...(access === "account" ? [401 as const, 403 as const] : []),
    ...(params || !isCall ? [404 as const] : []),
    ...(hasBody ? [413 as const, 415 as const] : []),
    ...(isCall ? [429 as const] : []),
    "default",
  ];
  const content =
    typeof reply === "string"
      ? { [reply]: { schema: { type: "string" } } }
      : { "application/json": { schema: refer(reply, "output") } };
  return {
    [status]: { description: status === 202 ? "Accepted" : "Done", content },
    ...Object.fromEntries(
      codes.map((code) => [code, { $ref: `#/components/responses/${refusals[code][0]}` }]),
    ),
  };
}
