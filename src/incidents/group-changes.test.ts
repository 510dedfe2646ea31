import { expect, test } from "vitest";
import { type ChangeGroup, findCommon, findGroup, type GroupedChange } from "./group-changes.ts";

const start = Date.parse("2026-01-02T03:00:00Z");
let number = 0;

function change(
  items: string[] | Record<string, number>,
  more: Partial<GroupedChange> & { minute?: number } = {},
): GroupedChange {
  const weights = Array.isArray(items) ? items.map((item) => [item, 1] as const) : Object.entries(items);
  number++;
  const { minute = number, ...rest } = more;
  return {
    executionId: `execution ${number}`,
    jobId: `job ${number}`,
    site: "acme.example",
    at: new Date(start + minute * 60_000),
    hasFinding: false,
    items: new Map(weights),
    ...rest,
  };
}

function groupChanges(changes: GroupedChange[]): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  for (const one of changes.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const group = findGroup(groups, one);
    if (group) group.changes.push(one);
    else groups.push({ changes: [one] });
  }
  return groups;
}
const sizes = (changes: GroupedChange[]) =>
  groupChanges(changes)
    .map((group) => group.changes.length)
    .sort((a, b) => b - a);

test("one deploy over 200 pages is one incident, whatever else some of the pages changed", () => {
  const pages = Array.from({ length: 200 }, (_, i) =>
    change(i % 10 === 0 ? ["- Careers", "+ Jobs", `+ own ${i}`] : ["- Careers", "+ Jobs"], { minute: i }),
  );
  const [group, ...others] = groupChanges(pages);
  expect([group?.changes.length, others]).toEqual([200, []]);
  expect(group && findCommon(group)).toEqual(["- Careers", "+ Jobs"]);
});

test("two deploys at once are two incidents", () => {
  const pages = Array.from({ length: 60 }, (_, i) =>
    change(i % 2 === 0 ? ["- Careers", "+ Jobs"] : ["+ © 2027", "- © 2026"], { minute: i / 10 }),
  );
  expect(sizes(pages)).toEqual([30, 30]);
});

test("a defacement in the middle of a deploy is an incident of its own, and so is a finding", () => {
  const pages = Array.from({ length: 40 }, () => change(["- Careers", "+ Jobs"], { minute: 1 }));
  const defaced = change(["+ Hacked by somebody", "- Everything"], { minute: 1 });
  const leaking = change(["- Careers", "+ Jobs"], { minute: 1, hasFinding: true });
  const groups = groupChanges([...pages.slice(0, 20), defaced, leaking, ...pages.slice(20)]);
  expect(groups.map(({ changes }) => changes.length).toSorted((a, b) => a - b)).toEqual([1, 1, 40]);
});

test("what changes all the time doesn't join pages", () => {
  const weights = (own: string) => ({ "+ 12 visitors online": 0.1, [own]: 1 });
  expect(sizes([change(weights("+ a")), change(weights("+ b")), change(weights("+ c"))])).toEqual([1, 1, 1]);
});

test.each<[string, Partial<GroupedChange> & { minute: number }, string[], number]>([
  ["the same on one site, 23 hours later", { minute: 23 * 60 }, ["a", "b"], 1],
  ["the same on one site, 25 hours later", { minute: 25 * 60 }, ["a", "b"], 2],
  ["half of it on one site", { minute: 5 }, ["a", "c"], 1],
  ["a third of it on one site", { minute: 5 }, ["a", "c", "d"], 1],
  ["nothing of it", { minute: 5 }, ["c"], 2],
  ["the same on another site within the hour", { minute: 50, site: "other.example" }, ["a", "b"], 1],
  ["the same on another site after the hour", { minute: 70, site: "other.example" }, ["a", "b"], 2],
  ["half of it on another site", { minute: 5, site: "other.example" }, ["a", "c"], 2],
  ["nothing that is known", { minute: 5 }, [], 2],
])("a second change: %s", (_, more, items, incidents) => {
  expect(groupChanges([change(["a", "b"], { minute: 0 }), change(items, more)])).toHaveLength(incidents);
});
