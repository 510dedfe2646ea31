import { JobParams } from "./job.ts";
import type { Route } from "./route.ts";
import {
  SiteActionParams,
  SiteActionReply,
  SiteExportQuery,
  SiteFolders,
  SiteFoldersQuery,
  SitePages,
  SitePagesQuery,
  SiteState,
} from "./site.ts";

/** Rows of the route table: the inventory of a job that watches a site. */
export const siteRoutes = {
  siteState: {
    method: "GET",
    path: "/api/jobs/:jobId/site",
    access: "account",
    summary: "Get how far the crawl of a job’s site is, and what it left out",
    params: JobParams,
    reply: SiteState,
  },
  sitePages: {
    method: "GET",
    path: "/api/jobs/:jobId/site/pages",
    access: "account",
    summary: "List the inventory of a job’s site: its addresses with status, title, source and age",
    params: JobParams,
    query: SitePagesQuery,
    reply: SitePages,
  },
  siteFolders: {
    method: "GET",
    path: "/api/jobs/:jobId/site/folders",
    access: "account",
    summary: "List the folders below a folder of a job’s site, with how many addresses each has",
    params: JobParams,
    query: SiteFoldersQuery,
    reply: SiteFolders,
  },
  exportSite: {
    method: "GET",
    path: "/api/jobs/:jobId/site/export",
    access: "account",
    summary: "Export the inventory of a job’s site as CSV, JSON or sitemap XML",
    params: JobParams,
    query: SiteExportQuery,
    reply: "application/octet-stream",
  },
  controlSite: {
    method: "POST",
    path: "/api/jobs/:jobId/site/:action",
    access: "account",
    scope: "check",
    summary: "Pause the crawl of a job’s site, or resume it where it was",
    params: SiteActionParams,
    reply: SiteActionReply,
  },
} as const satisfies Record<string, Route>;
