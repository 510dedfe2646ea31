import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Client } from "#client/create-client.ts";
import { SiteDifferenceQuery, SitePagesQuery } from "#contract/site.ts";
import { answer, executionId, jobId, readOnly } from "./answer.ts";

/** The tools for jobs that watch a whole site. */
export function addSiteTools(server: McpServer, client: Client): void {
  addInventoryTool(server, client);
  server.registerTool(
    "read_site_templates",
    {
      title: "Read the templates of a site",
      description: "Lists the shapes of a site's addresses, such as /item/{n}, with how many pages each has.",
      inputSchema: { jobId },
      annotations: readOnly,
    },
    (params) =>
      answer(async () => {
        const { templates } = await client.call("GET /api/jobs/:jobId/site/templates", { params });
        return {
          facts: { templates: templates.map(({ pages, skeletons }, at) => ({ at, pages, skeletons })) },
          untrusted: templates.map(({ template, example, title }, at) => ({ at, template, example, title })),
        };
      }),
  );
  server.registerTool(
    "compare_site",
    {
      title: "Compare two inventories of a site",
      description:
        "Lists every address that appeared, vanished, moved or changed between two executions of a job that watches a whole site.",
      inputSchema: {
        jobId,
        ...SiteDifferenceQuery.shape,
        from: executionId,
        to: executionId,
      },
      annotations: readOnly,
    },
    ({ jobId: id, ...query }) =>
      answer(async () => {
        const { differences, total } = await client.call("GET /api/jobs/:jobId/site/difference", {
          params: { jobId: id },
          query,
        });
        return { facts: { total, shown: differences.length }, untrusted: differences };
      }),
  );
}

function addInventoryTool(server: McpServer, client: Client): void {
  server.registerTool(
    "read_site",
    {
      title: "Read the inventory of a site",
      description:
        "Lists the addresses of a job that watches a whole site, with status, source, depth and age, and how far its crawl is.",
      inputSchema: { jobId, ...SitePagesQuery.shape },
      annotations: readOnly,
    },
    ({ jobId: id, ...query }) =>
      answer(async () => {
        const [{ run, ...counts }, { pages, total }] = await Promise.all([
          client.call("GET /api/jobs/:jobId/site", { params: { jobId: id } }),
          client.call("GET /api/jobs/:jobId/site/pages", { params: { jobId: id }, query }),
        ]);
        const facts = pages.map(({ status, source, depth, bytes, notRequested, firstSeen, lastSeen }, at) => {
          return { at, status, source, depth, bytes, notRequested, firstSeen, lastSeen };
        });
        const words = pages.map(({ address, title, movedTo, template, scriptHosts, problem }, at) => {
          return { at, address, title, movedTo, template, scriptHosts, problem };
        });
        const progress = run && { ...run, notes: undefined, failure: undefined };
        return {
          facts: { run: progress, ...counts, total, pages: facts },
          untrusted: { notes: run?.notes, failure: run?.failure, pages: words },
        };
      }),
  );
}
