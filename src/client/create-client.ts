import { type CallInput, type CallReply, callAddress } from "#contract/call-types.ts";
import type { Route } from "#contract/route.ts";
import { type RouteName, routes } from "#contract/routes.ts";

type Table = typeof routes;

/** What carries a call: over HTTP, or inside the process that answers. */
export type Carry = (request: {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | FormData;
  signal?: AbortSignal;
}) => Promise<Response>;

type Options = { signal?: AbortSignal; headers?: Record<string, string> };

/** Every row of the route table as a function; answers that are not JSON come as they are, to be streamed. */
export type Client = {
  [Name in RouteName]: (
    ...input: unknown extends CallInput<Table[Name]>
      ? [input?: undefined, options?: Options]
      : Record<never, never> extends CallInput<Table[Name]>
        ? [input?: CallInput<Table[Name]>, options?: Options]
        : [input: CallInput<Table[Name]>, options?: Options]
  ) => Promise<CallReply<Table[Name], Response>>;
};

/** A call that was refused, in the server's own words. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.name = "CallError";
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

type Loose = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };

/** The client of the contract, made from its table. */
export function createClient(carry: Carry): Client {
  const call =
    (route: Route) =>
    async (input: Loose = {}, options: Options = {}) => {
      const { params, query, body } = input;
      const isForm = body instanceof FormData;
      const response = await carry({
        method: route.method,
        path: callAddress(route.path, params, query),
        headers: {
          ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
        ...(options.signal ? { signal: options.signal } : {}),
      });
      if (!response.ok) throw await refusal(response);
      return typeof route.reply === "string" ? response : response.json();
    };
  return Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [name, call(route)]),
  ) as unknown as Client;
}

async function refusal(response: Response): Promise<CallError> {
  const { status } = response;
  const text = await response.text().catch(() => "");
  try {
    const { code, message, field } = JSON.parse(text);
    return new CallError(status, String(code), String(message), field);
  } catch {
    return new CallError(status, "UNKNOWN", `The server answered ${status}, and not as Watchglass does.`);
  }
}
