import { z } from "zod";
import type { Route } from "./route.ts";

/** Rows of the route table: the endpoint for agents (MCP). */
export const agentRoutes = {
  mcp: {
    method: "POST",
    path: "/api/mcp",
    access: "account",
    // Each tool makes its own call, which needs its own scope.
    scope: "read",
    demo: true,
    summary: "Call the MCP server (Model Context Protocol over streamable HTTP, stateless)",
    body: z.unknown().describe("A JSON-RPC message"),
    reply: "application/json",
  },
} as const satisfies Record<string, Route>;
