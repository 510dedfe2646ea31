import { CallError, type CallRequest, createClient } from "#client/create-client.ts";

export { CallError, type ReplyOf } from "#client/create-client.ts";

/** The API's calls, made with the session's cookie. If a message is empty, each screen has its own words. */
export const { call, stream } = createClient(sendFromPage, () => "");

async function sendFromPage({ path, ...request }: CallRequest): Promise<Response> {
  try {
    return await fetch(path, request);
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    throw new CallError(0, "NETWORK", "");
  }
}

/** Returns whether a call failed with 404 Not Found. */
export function isNotFound(error: Error | null): boolean {
  return error instanceof CallError && error.status === 404;
}
