import type { SitePageShown } from "#contract/site.ts";
import { escapeXml } from "#contract/xml-text.ts";
import { readSiteDifference } from "#history/read-site-difference.ts";
import { csvCell } from "#import-export/export-csv.ts";
import {
  changeSiteRule,
  createSiteRule,
  readSiteRules,
  removeSiteRule,
  trySiteRule,
} from "#site-rules/manage-rules.ts";
import { controlCrawl } from "#sites/control-crawl.ts";
import { exportSite } from "#sites/export-site.ts";
import { readSiteFolders, readSitePages, readSiteState, readSiteTemplates } from "#sites/read-site.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { sendExport } from "./send-export.ts";

type Names =
  | "siteState"
  | "sitePages"
  | "siteFolders"
  | "siteTemplates"
  | "siteDifference"
  | "siteRules"
  | "trySiteRule"
  | "createSiteRule"
  | "updateSiteRule"
  | "deleteSiteRule"
  | "exportSite"
  | "controlSite";

export const siteInventoryHandlers: Handlers<Names> = {
  siteState: (app, { actor, params }) => readSiteState(app.jobs, actor, params.jobId),
  sitePages: (app, { actor, params, query }) => readSitePages(app.jobs, actor, params.jobId, query),
  siteFolders: (app, { actor, params, query }) => readSiteFolders(app.jobs, actor, params.jobId, query.below),
  siteTemplates: (app, { actor, params }) => readSiteTemplates(app.jobs, actor, params.jobId),
  siteDifference: (app, { actor, params, query }) =>
    app.comparing.inTurn(actor.accountId, () => readSiteDifference(app.jobs, actor, params.jobId, query)),
  siteRules: (app, { actor, params }) => readSiteRules(app.jobs, actor, params.jobId),
  trySiteRule: (app, { actor, params, query, body }) =>
    app.comparing.inTurn(actor.accountId, () =>
      trySiteRule(app.jobs, actor, params.jobId, body, query.ruleId),
    ),
  async createSiteRule(app, { actor, params, body }) {
    const id = await app.comparing.inTurn(actor.accountId, () =>
      createSiteRule(app.jobs, actor, params.jobId, body),
    );
    return { code: "JOB_UPDATED", message: "The rule is saved, and its jobs are created.", id };
  },
  async updateSiteRule(app, { actor, params, body }) {
    await app.comparing.inTurn(actor.accountId, () => changeSiteRule(app.jobs, actor, params, body));
    return { code: "JOB_UPDATED", message: "The rule is saved and applied." };
  },
  async deleteSiteRule(app, { actor, params: { jobId, ruleId } }) {
    await removeSiteRule(app.jobs, actor, jobId, ruleId);
    return { code: "JOB_UPDATED", message: "The rule is removed. Its jobs stay." };
  },
  async exportSite(app, { actor, params, query: { format }, reply }) {
    return sendExport(app, { actor, reply }, async () => {
      const pages = await exportSite(app.jobs, actor, params.jobId);
      const { type, write } = formats[format];
      return { name: `watchglass-site.${format}`, type, parts: write(pages) };
    });
  },
  async controlSite(app, { actor, params: { jobId, action } }) {
    await controlCrawl(app.jobs, actor, jobId, action);
    const message = action === "pause" ? "The crawl is paused." : "The crawl continues.";
    return { code: "JOB_UPDATED", message };
  },
};

type Pages = AsyncIterable<SitePageShown>;

const formats = {
  csv: { type: "text/csv; charset=utf-8", write: toCsv },
  json: { type: "application/json; charset=utf-8", write: toJson },
  xml: { type: "application/xml; charset=utf-8", write: toSitemap },
};

const columns = [
  "address",
  "status",
  "title",
  "contentType",
  "bytes",
  "source",
  "depth",
  "template",
  "movedTo",
  "notRequested",
  "problem",
  "firstSeen",
  "lastSeen",
] as const satisfies (keyof SitePageShown)[];

async function* toCsv(pages: Pages): AsyncGenerator<string> {
  yield `${columns.join(",")}\r\n`;
  for await (const page of pages) yield `${columns.map((column) => csvCell(page[column])).join(",")}\r\n`;
}

async function* toJson(pages: Pages): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const page of pages) {
    yield separator + JSON.stringify(page);
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

/** Only pages that answered: a sitemap lists what can be visited. */
async function* toSitemap(pages: Pages): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  for await (const { address, status, notRequested } of pages)
    if (status !== null && status < 300 && notRequested === null)
      yield `<url><loc>${escapeXml(address)}</loc></url>\n`;
  yield "</urlset>\n";
}
