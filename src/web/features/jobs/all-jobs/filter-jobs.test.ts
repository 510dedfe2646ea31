import { expect, test } from "vitest";
import type { JobLine } from "#contract/change.ts";
import { filterJobs, readFilter, tagsIn, toSearchable, writeFilter } from "./filter-jobs.ts";

const now = Date.parse("2026-11-19T12:00:00Z");
const day = 86_400_000;

function line(name: string, more: Partial<JobLine> & { ago?: number; text?: string } = {}): JobLine {
  const { ago, text = "", ...rest } = more;
  const change = { executionId: "x", severity: "notice" as const, summary: "1 line added", text };
  return {
    id: name,
    name,
    url: `https://${name}.example/`,
    status: "ACTIVE",
    group: "Shops",
    tags: [],
    failing: false,
    lastCheckAt: null,
    lastChange: ago === undefined ? null : { ...change, at: new Date(now - ago * day).toISOString() },
    ...rest,
  } as JobLine;
}

const jobs = [
  line("beta", { ago: 3, text: "Lamps are back", tags: ["client A"] }),
  line("alpha", { ago: 1, group: "Endpoints" }),
  line("gamma", { status: "PAUSED", failing: true, tags: ["client B", "client A"] }),
];
const shown = (query: string) =>
  filterJobs(toSearchable(jobs), readFilter(new URLSearchParams(query)), now).map(({ name }) => name);

test.each([
  ["", ["alpha", "beta", "gamma"]],
  ["q=BETA.example", ["beta"]],
  ["q=lamps+back", ["beta"]],
  ["q=endpoints", ["alpha"]],
  ["q=client+a", ["beta", "gamma"]],
  ["q=beta+alpha", []],
  ["status=PAUSED", ["gamma"]],
  ["failing=1", ["gamma"]],
  ["tag=client+A&sort=name", ["beta", "gamma"]],
  ["since=2", ["alpha"]],
  ["severity=notice", ["alpha", "beta"]],
  ["severity=important", []],
  ["sort=group", ["alpha", "beta", "gamma"]],
  ["sort=nonsense", ["alpha", "beta", "gamma"]],
])("the URL %j shows %j", (query, names) => expect(shown(query)).toEqual(names));

test("a filter that is written into the URL is read back; defaults are left out", () => {
  const filter = readFilter(new URLSearchParams("q=a+b&failing=1&sort=name&since=7"));
  const parts = Object.entries(writeFilter(filter)).filter(([, value]) => value !== null);
  expect(readFilter(new URLSearchParams(parts as [string, string][]))).toEqual(filter);
  expect(Object.values(writeFilter(readFilter(new URLSearchParams())))).toEqual(
    Object.keys(writeFilter(filter)).map(() => null),
  );
});

test("each tag in use is offered once", () => expect(tagsIn(jobs)).toEqual(["client A", "client B"]));
