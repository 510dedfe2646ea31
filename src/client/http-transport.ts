import { CallError, type CallTransport } from "./create-client.ts";

/** Sends calls to an installation over HTTP, with an API key; `interrupt` ends all of them. */
export function httpTransport(
  baseUrl: string,
  key: string | undefined,
  interrupt?: AbortSignal,
): CallTransport {
  const root = baseUrl.replace(/\/{1,9}$/, "");
  return async ({ path, headers, signal: own, ...request }) => {
    const signals = [own, interrupt].filter((one) => one !== undefined);
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    try {
      return await fetch(`${root}${path}`, {
        ...request,
        ...(signal ? { signal } : {}),
        headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
        // A redirect would pass the key on to its target.
        redirect: "manual",
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      const { cause } = error as { cause?: { code?: string; message?: string } };
      const why = cause?.code ?? cause?.message ?? (error as Error).message;
      throw new CallError(0, "NETWORK", `${root} cannot be reached (${why}).`);
    }
  };
}
