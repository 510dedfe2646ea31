import type { z } from "zod";
import type { routes } from "#contract/routes.ts";

type Routes = typeof routes;
type Calls = { [K in keyof Routes as `${Routes[K]["method"]} ${Routes[K]["path"]}`]: Routes[K] };

/** "GET /api/me" and so on: every row of the contract's route table. */
type CallName = keyof Calls;

type Part<R, K extends string> = R extends { [key in K]: infer S extends z.ZodType }
  ? Record<never, never> extends z.input<S>
    ? { [key in K]?: z.input<S> }
    : { [key in K]: z.input<S> }
  : unknown;

type CallInput<R> = Part<R, "params"> &
  Part<R, "query"> &
  Part<R, "body"> &
  (R extends { bodyType: "multipart" } ? { body: FormData } : unknown);

type CallOptions = {
  signal?: AbortSignal;
  /** Sends the request even while the user is leaving the page. */
  keepalive?: boolean;
};

type CallArguments<R> =
  unknown extends CallInput<R>
    ? [input?: undefined, options?: CallOptions]
    : Record<never, never> extends CallInput<R>
      ? [input?: CallInput<R>, options?: CallOptions]
      : [input: CallInput<R>, options?: CallOptions];

type JsonCallName = {
  [N in CallName]: Calls[N] extends { reply: z.ZodType } ? N : never;
}[CallName];

/** The JSON reply of a call. */
export type ReplyOf<N extends JsonCallName> = Calls[N] extends { reply: infer S extends z.ZodType }
  ? z.output<S>
  : never;

/** The calls of the API, by their names, typed by the route table. */
export type Client = {
  /** Makes a call and returns its JSON reply. */
  call: <N extends JsonCallName>(name: N, ...input: CallArguments<Calls[N]>) => Promise<ReplyOf<N>>;
  /** Makes a call and returns the response unread, to stream it or to read it in another form. */
  stream: <N extends CallName>(name: N, ...input: CallArguments<Calls[N]>) => Promise<Response>;
};

export type CallRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | FormData;
} & CallOptions;

/** Transports a call: over HTTP, from a page, or inside the process that answers it. */
export type CallTransport = (request: CallRequest) => Promise<Response>;

/** A call that the server rejected, with its message, or that got no response at all (code NETWORK). */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;

  /** Path of the invalid input field, such as "trigger.url". */
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.name = "CallError";
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

type Values = Record<string, string | number | boolean | undefined>;
type AnyInput = { params?: Values; query?: Values; body?: unknown };

/**
 * Creates the client of the API. It imports only the types of the route table, so that no schema ships to the browser.
 * `describeForeign` is the message for a response that isn't from the API, such as a proxy's error page.
 */
export function createClient(
  send: CallTransport,
  describeForeign = (status: number) =>
    `The server answered ${status}, but it doesn’t seem to be Watchglass.`,
): Client {
  async function stream(name: string, input: AnyInput = {}, options: CallOptions = {}): Promise<Response> {
    const [method, path] = name.split(" ") as [string, string];
    const { params, query, body } = input;
    const isJson = body !== undefined && !(body instanceof FormData);
    const response = await send({
      method,
      path: callAddress(path, params, query),
      headers: isJson ? { "content-type": "application/json" } : {},
      body: isJson ? JSON.stringify(body) : body,
      ...options,
    });
    if (!response.ok) throw await readError(response);
    return response;
  }

  async function call(name: string, input?: AnyInput, options?: CallOptions): Promise<unknown> {
    const response = await stream(name, input, options);
    // The server uses the same route table and validates its replies against it.
    return response.json().catch((error: unknown) => {
      if (options?.signal?.aborted) throw error;
      throw new CallError(response.status, "UNKNOWN", describeForeign(response.status));
    });
  }

  async function readError(response: Response): Promise<CallError> {
    const { status } = response;
    const reply = (await response.json().catch(() => null)) as Partial<CallError> | null;
    const { code = "UNKNOWN", message = describeForeign(status), field } = reply ?? {};
    return new CallError(status, code, message, field);
  }

  return { call, stream } as unknown as Client;
}

/** The URL of a call. Values are encoded, so they can't add path segments. */
function callAddress(path: string, params: Values = {}, query: Values = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}
