import { type CallInput, type CallReply, callAddress } from "#contract/call-types.ts";
import type { routes } from "#contract/routes.ts";

type Routes = typeof routes;
type Calls = { [K in keyof Routes as `${Routes[K]["method"]} ${Routes[K]["path"]}`]: Routes[K] };

/** "GET /api/me" and so on: every row of the contract's route table. */
export type CallName = keyof Calls;

/** What a call answers. */
export type ReplyOf<N extends CallName> = CallReply<Calls[N], Blob>;

/** A call that was refused, or (code NETWORK) that never got an answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  /** Which part of the input is at fault, as "trigger.url". */
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** Whether a call failed because what it asked for is not there. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404;
}

type Options = {
  signal?: AbortSignal;
  /** Sent even if the page is being left. */
  keepalive?: boolean;
};
type Values = Record<string, string | number | boolean | undefined>;
type Loose = { params?: Values; query?: Values; body?: unknown };

/** Makes one call of the contract. Only its types are used here, so that no schema is sent to the browser. */
export async function call<N extends CallName>(
  name: N,
  ...[input, options]: unknown extends CallInput<Calls[N]>
    ? [input?: undefined, options?: Options]
    : [CallInput<Calls[N]>, Options?]
): Promise<ReplyOf<N>> {
  const [method, path] = name.split(" ") as [string, string];
  const { params = {}, query = {}, body } = (input ?? {}) as Loose;
  const response = await send(method, callAddress(path, params, query), body, options);
  const answer = await read(response);
  if (!response.ok) {
    const { code, message, field } = (answer ?? {}) as { code?: string; message?: string; field?: string };
    throw new ApiError(response.status, code ?? "UNKNOWN", message ?? "", field);
  }
  // The server answers by the same table and checks its answers against it.
  return answer as ReplyOf<N>;
}

async function send(method: string, url: string, body: unknown, options: Options = {}): Promise<Response> {
  const isForm = body instanceof FormData;
  try {
    return await fetch(url, {
      method,
      ...options,
      headers: body === undefined || isForm ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, "NETWORK", "");
  }
}

async function read(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("json")) return response.json().catch(() => undefined);
  return response.ok ? response.blob() : undefined;
}
