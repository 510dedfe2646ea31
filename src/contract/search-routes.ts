import { LineContext, LineParams, LineQuery, SearchQuery, SearchResults } from "./page-block.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: searching what pages consisted of. */
export const searchRoutes = {
  search: {
    method: "GET",
    path: "/api/search",
    access: "account",
    summary:
      "Find text, links, scripts, hosts and headers in all captures: where they were seen, since when, until when",
    query: SearchQuery,
    reply: SearchResults,
  },
  searchContext: {
    method: "GET",
    path: "/api/search/:lineId/context",
    access: "account",
    summary: "Show a line of visible text with its neighbors",
    params: LineParams,
    query: LineQuery,
    reply: LineContext,
  },
} as const satisfies Record<string, Route>;
