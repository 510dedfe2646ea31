import { CallError, type Carry } from "./create-client.ts";

/** Carries calls to an installation, by a key. */
export function overHttp(baseUrl: string, key: string | undefined): Carry {
  const root = baseUrl.replace(/\/{1,9}$/, "");
  return async ({ method, path, headers, body, signal }) => {
    try {
      return await fetch(`${root}${path}`, {
        method,
        headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
        // A redirect would hand the key to whoever it leads to.
        redirect: "manual",
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      const { cause } = error as { cause?: { code?: string; message?: string } };
      const why = cause?.code ?? cause?.message ?? (error as Error).message;
      throw new CallError(0, "NETWORK", `${root} cannot be reached (${why}).`);
    }
  };
}
