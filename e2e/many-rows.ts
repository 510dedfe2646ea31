// Replies that look as they do after months of use: long names, many rows, every kind of row.
import type { Page } from "@playwright/test";
import { isLong } from "./size.ts";

export const long =
  "Quarterly shopfront of the Northern Lights trading company, checkout and returns, second floor";
export const unbroken = `https://shop.example/${"catalogue-of-everything/".repeat(6)}`;

// More rows than fit on a screen of any of these widths.
const rowCount = isLong ? 30 : 8;

type Row = Record<string, unknown>;
const repeatRow = <T extends Row>(row: T | undefined, count: number, change: (i: number) => Row): Row[] =>
  row ? Array.from({ length: count }, (_, i) => ({ ...row, ...(i > 0 && change(i)) })) : [];
const idOf = (i: number) => `019a0000-0000-7000-8000-${String(i).padStart(12, "0")}`;

type Shown = { group: string; job: string };

const changeReply = (page: Page, path: string, change: (body: never) => unknown) =>
  page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() !== "GET") return route.continue();
      await route.fulfill({ json: change((await (await route.fetch()).json()) as never) });
    },
  );

/** Repeats the rows of every reply. With `site`, the job watches a whole site. */
export async function multiplyRows(page: Page, ids: Shown, site: object | null = null): Promise<void> {
  const severities = ["critical", "important", "notice", "info"];
  const statuses = ["ACTIVE", "PAUSED", "DISABLED", "INTERRUPTED", "INACTIVE"];
  const executions = (list: Row[]) =>
    repeatRow(list[0], rowCount, (i) => ({
      id: idOf(i),
      index: 12_345 - i,
      similarity: 97.5,
      createdAt: new Date(Date.now() - i * 3_700_000).toISOString(),
      summary: i % 2 ? long : unbroken,
      severity: severities[i % 4],
      changed: i % 3 > 0,
      error: i % 5 === 4 ? `The server did not answer: ${unbroken}` : null,
      status_code: i % 5 === 4 ? null : 200 + (i % 4) * 100,
    }));
  await changeReply(page, "/api/jobs/groups", (groups: Row[]) =>
    repeatRow(groups[0], rowCount, (i) => ({ id: idOf(i), name: `${i} ${long}` })),
  );
  const job = (one: Row & { executions: Row[] }) => ({
    ...one,
    site,
    executions: executions(one.executions).slice(0, 50),
    executionsTotal: 12_345,
    changesTotal: 2345,
  });
  await changeReply(
    page,
    `/api/jobs/groups/${ids.group}`,
    (group: { Job: (Row & { executions: Row[] })[] }) => ({
      ...group,
      Job: repeatRow(group.Job[0], rowCount, (i) => ({
        id: idOf(i),
        name: i % 2 ? unbroken.slice(0, 120) : long,
        status: statuses[i % 5],
        executions: executions(group.Job[0]?.executions ?? []).slice(i % 10),
      })).map((one) => job(one as Row & { executions: Row[] })),
    }),
  );
  await changeReply(page, `/api/jobs/${ids.job}`, job);
  await changeReply(page, `/api/jobs/${ids.job}/executions`, (page: { executions: Row[] }) => ({
    executions: executions(page.executions),
    nextCursor: null,
    total: 12_345,
  }));
  await changeReply(page, `/api/jobs/${ids.job}/logs`, (lines: Row[]) =>
    repeatRow(lines[0], rowCount, (i) => ({
      id: 100_000 - i,
      level: ["info", "warn", "error"][i % 3],
      meta: unbroken,
    })),
  );
  await changeReply(page, "/api/analytics/job_statistics", (rows: Row[]) =>
    repeatRow(rows[0], rowCount, (i) => ({ job_name: `${i} ${long}`, logs: 12_345 - i })),
  );
  await changeReply(
    page,
    "/api/analytics/resume",
    (resume: Row & { recent_changes: Row[]; next_checks: Row[] }) => ({
      ...resume,
      total_executions: 1_234_567,
      recent_changes: repeatRow(resume.recent_changes[0], 8, (i) => ({ id: idOf(i), summary: unbroken })),
      next_checks: repeatRow(resume.next_checks[0], 8, (i) => ({ id: idOf(i) })),
      failing_jobs: repeatRow({ ...resume.next_checks[0], failures: 12, error: unbroken }, 8, (i) => ({
        id: idOf(i),
      })),
    }),
  );
  await changeReply(page, "/api/notifications", (feed: { notifications: Row[] }) => ({
    ...feed,
    unread: 99,
    notifications: repeatRow(feed.notifications[0], rowCount, (i) => ({
      id: idOf(i),
      title: long,
      message: unbroken,
      severity: severities[i % 4],
    })),
  }));
  await changeReply(page, "/api/search", (found: Row & { lines: (Row & { stays: Row[] })[] }) => ({
    ...found,
    isCapped: true,
    isScanned: true,
    jobsToIndex: 12,
    lines: repeatRow(found.lines[0], rowCount, (i) => ({
      id: i + 1,
      pages: 1234,
      goneAt: i % 2 ? new Date().toISOString() : null,
      stays: repeatRow(found.lines[0]?.stays[0], 4, (n) => ({
        jobId: idOf(n),
        job: n % 2 ? long : unbroken,
      })),
    })),
  }));
  await changeReply(page, "/api/incidents", () => ({
    incidents: severities.map((severity, i) => ({
      id: idOf(i),
      firstAt: new Date(0).toISOString(),
      lastAt: new Date().toISOString(),
      severity,
      pages: 1234,
      summary: `Link “${unbroken}” removed on 1234 pages, and 12 more things`,
      common: repeatRow({ sign: "+", kind: "text", text: long }, 4, (n) => ({
        text: `${n} ${unbroken}`,
        sign: "-",
      })),
      moreCommon: 3,
      changes: repeatRow(
        { executionId: idOf(0), jobId: ids.job, url: unbroken, groupId: ids.group },
        4,
        (n) => ({
          executionId: idOf(n),
        }),
      ).map((change, n) => ({
        ...change,
        job: n % 2 ? long : unbroken,
        at: new Date().toISOString(),
        own: n,
      })),
      moreChanges: 1230,
      opinion: i % 2 ? null : { model: unbroken, sentence: long },
      noise: { wanted: i * 400, pending: i === 1 ? 12 : 0, failed: i === 2 ? 3 : 0 },
    })),
    otherChanges: 1234,
    isCapped: true,
  }));
  await changeReply(page, "/api/search-alerts", () => ({
    alerts: severities.map((severity, i) => ({
      id: idOf(i),
      name: i % 2 ? long.slice(0, 60) : unbroken.slice(0, 60),
      q: unbroken,
      mode: "literal",
      kind: i % 2 ? "text" : null,
      groupIds: i % 2 ? [ids.group] : null,
      severity,
      hidesMatch: false,
      createdAt: new Date(0).toISOString(),
      alerts: 1234 * i,
      lastAlertAt: i ? new Date().toISOString() : null,
    })),
  }));
  await changeReply(page, "/api/mailbox", ({ mails }: { mails: Row[] }) => ({
    mails: repeatRow(mails[0], rowCount, (i) => ({ id: idOf(i), subject: `[critical] ${i} ${long}` })),
  }));
  await changeReply(page, "/api/payment/billing", () =>
    repeatRow({ amount: 19, currency: "USD", plan: { name: "Professional" } }, 12, (i) => ({ i })).map(
      (bill, i) => ({
        ...bill,
        id: `txn_01hv8wptq8987qeep44cyrewp${i}`,
        status: i ? "past_due" : "paid",
        createdAt: new Date().toISOString(),
      }),
    ),
  );
}

const folders = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    path: `shop.example/${i}/`,
    name: i % 3 ? `folder-${i}/` : `${"catalogue-of-everything-".repeat(3)}${i}/`,
    pages: 12_345,
  }));

/** Replies of a job that watches a whole site, with a crawl under way and every kind of page. */
export async function showSite(page: Page, ids: Shown): Promise<void> {
  const site = `/api/jobs/${ids.job}/site`;
  const now = new Date().toISOString();
  await multiplyRows(page, ids, { maxPages: 20_000 });
  await changeReply(page, site, () => ({
    run: {
      number: 12,
      state: "running",
      startedAt: now,
      finishedAt: null,
      requested: 9876,
      perSecond: 4.75,
      bytes: 123_456_789,
      listsToRead: 0,
      failure: `The site stopped answering after 9,876 requests. ${unbroken}`,
      notes: [long, unbroken, `Addresses like ${unbroken} only sort the same list`],
    },
    pages: 9876,
    known: 12_345,
    waiting: 2469,
  }));
  const special = [
    { status: 200, movedTo: null, notRequested: null },
    { status: 301, movedTo: unbroken, notRequested: null },
    { status: 404, movedTo: null, notRequested: null },
    { status: null, movedTo: null, notRequested: "robots" },
    { status: null, movedTo: null, notRequested: "endless" },
  ];
  await changeReply(page, `${site}/pages`, () => ({
    total: 12_345,
    pages: Array.from({ length: rowCount }, (_, i) => ({
      ...special[i % special.length],
      address: `${unbroken}?page=${i}`,
      source: i ? "sitemap" : "start",
      depth: i,
      problem: null,
      title: i % 2 ? long : "",
      bytes: 1234 * 10 ** (i % 5),
      scriptHosts: i % 2 ? ["cdn.shop.example", "statistics.of-a-service-with-a-long-name.example"] : [],
      template: "/{n}",
      firstSeen: now,
      lastSeen: now,
    })),
  }));
  await changeReply(page, `${site}/folders`, () => ({ folders: folders(rowCount), isCut: true }));
  await changeReply(page, `${site}/templates`, () => ({
    templates: Array.from({ length: rowCount }, (_, i) => ({
      template: `/${"catalogue-of-everything/{n}/".repeat(3)}${i}`,
      pages: 12_345 - i * 1000,
      skeletons: 1 + i,
      example: unbroken,
      title: long,
    })),
  }));
  await changeReply(page, `${site}/difference`, () => ({
    total: 12_345,
    differences: Array.from({ length: rowCount }, (_, i) => ({
      address: `${unbroken}${i}`,
      before: i % 3 ? "200" : null,
      after: i % 3 === 1 ? null : "404",
      sentence: `New broken link ${unbroken}${i}`,
    })),
  }));
  const rule = { by: "pattern", value: `/${"catalogue-of-everything/".repeat(4)}*`, sample: "first" };
  await changeReply(page, `${site}/rules`, () => ({
    rules: Array.from({ length: 3 }, (_, i) => ({
      ...rule,
      id: idOf(i),
      groupId: ids.group,
      maxJobs: 400,
      frequency: 1440,
      jobs: 123,
      retired: i,
      problem: i ? `The Basic plan has room for 2 of these 400 jobs in this group.` : null,
    })),
  }));
  await page.route(
    (url) => url.pathname === `${site}/rules/try`,
    (route) =>
      route.fulfill({
        json: {
          matching: 1234,
          jobs: Array.from({ length: rowCount }, (_, i) => ({ url: unbroken + i, name: long, plan: "make" })),
          cost: {
            jobs: 1234,
            allowedJobs: 2000,
            groupJobs: 399,
            allowedGroupJobs: 400,
            checksPerDay: 123_456,
          },
          problem: "The Basic plan has room for 2 of these 1,234 jobs in this group.",
        },
      }),
  );
}
