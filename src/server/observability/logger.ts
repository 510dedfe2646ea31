import { type Logger, pino } from "pino";

export type { Logger };

const secretPaths = [
  "req.headers.authorization",
  "req.headers.cookie",
  'res.headers["set-cookie"]',
  "password",
  "*.password",
  "token",
  "*.token",
];

/** Structured logs; readable ones on a terminal. The tokens in URLs of links are hidden. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    redact: { paths: secretPaths, censor: "[hidden]" },
    serializers: {
      err: describeError,
      req: (request: { method: string; url: string; id: string }) => ({
        id: request.id,
        method: request.method,
        path: hideTokens(request.url),
      }),
    },
    ...(process.stdout.isTTY
      ? {
          transport: {
            target: "pino-pretty",
            options: { ignore: "pid,hostname", translateTime: "HH:MM:ss" },
          },
        }
      : {}),
  });
}

/** Errors may carry whole connections, including passwords, so only the fields that explain them are logged. */
function describeError(error: Error & { code?: unknown }): object {
  const { name, message, code, stack, cause } = error;
  return { name, message, code, stack, ...(cause instanceof Error ? { cause: describeError(cause) } : {}) };
}

/** Removes query strings, and tokens in the paths of links, so that they stay out of the log. */
export function hideTokens(url: string): string {
  return url
    .replace(/\?.*$/s, "")
    .replace(/\/(recover|activate|share|shared-reports|unsubscribe|often|feed)\/[^/]+/g, "/$1/[hidden]");
}
