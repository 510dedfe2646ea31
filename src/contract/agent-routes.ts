import { z } from "zod";
import type { Route } from "./route.ts";

/** Rows of the route table: what agents speak. */
export const agentRoutes = {
  mcp: {
    method: "POST",
    path: "/api/mcp",
    access: "account",
    // Each tool is a call of its own, with its own scope.
    scope: "read",
    demo: true,
    summary: "The Model Context Protocol (streamable HTTP, stateless)",
    body: z.unknown().describe("JSON-RPC"),
    reply: "application/json",
  },
} as const satisfies Record<string, Route>;
