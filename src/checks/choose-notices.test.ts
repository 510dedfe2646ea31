import { describe, expect, test } from "vitest";
import type { CaptureFailure } from "#contract/capture.ts";
import { wallAdvice, wallKinds } from "#contract/wall.ts";
import type { CheckResult } from "./check-result.ts";
import { chooseNotices } from "./choose-notices.ts";

type Failing = Parameters<typeof chooseNotices>[0];

/** The messages that checks with these failures send one after the other; null is a check that sees the page. */
function notify(
  failures: (CaptureFailure | null)[],
  start: Partial<Failing> = {},
): [kind: string, text: string][] {
  const job: Failing = {
    failures: 0,
    status: "ACTIVE",
    trouble: null,
    tell_failures: null,
    handed: {},
    ...start,
  };
  return failures.flatMap((failure) => {
    const result = failure ? { kind: "failed", failure } : { kind: "not-modified" };
    const { notices, trouble } = chooseNotices(job, result as CheckResult);
    Object.assign(job, { trouble, failures: failure ? job.failures + 1 : 0 });
    return notices.map(({ kind, message }): [string, string] => [kind, message]);
  });
}

const blocked = (wall: (typeof wallKinds)[number]): CaptureFailure => ({
  kind: "blocked",
  message: `It is ${wall}.`,
  wall,
});
const down: CaptureFailure = { kind: "refused", message: "Nobody answers." };
const proxyDown: CaptureFailure = { kind: "proxy", message: "The proxy is down." };

test.for(wallKinds)("a wall (%s) is alerted once with what helps, and its end too", (wall) => {
  const failure = blocked(wall);
  expect(notify([failure, failure, failure, failure, null])).toEqual([
    ["failing", `The page isn’t shown at 2 checks in a row: It is ${wall}. ${wallAdvice[wall]}`],
    ["recovered", "The page is reachable again after 4 failures."],
  ]);
});

describe("several troubles in a row", () => {
  test("another kind of wall isn't alerted again; a site that goes down behind it is", () => {
    const walls = [blocked("maintenance"), blocked("maintenance"), blocked("captcha"), blocked("captcha")];
    expect(
      notify([...walls, down, down, null]).map(([kind, text]) => `${kind}: ${text.slice(0, 12)}`),
    ).toEqual(["failing: The page isn", "failing: Check failed", "recovered: The page is "]);
  });

  test("a proxy that is down is no site that is down", () => {
    expect(notify([proxyDown, proxyDown, down, down]).map(([, text]) => text)).toEqual([
      expect.stringMatching(/^Proxy down at 2 checks in a row: The proxy is down\. Test the proxy/),
      "Check failed at 2 checks in a row: Nobody answers.",
    ]);
  });
});

test.for<[string, CaptureFailure, boolean]>([
  ["a wall", blocked("bot-wall"), false],
  ["a proxy that is down", proxyDown, false],
  ["a site that doesn't answer", down, true],
])("%s for days: the job is interrupted or not", ([, failure, isInterrupted]) => {
  const trouble: Failing["trouble"] = {
    sort: "down",
    times: 20,
    told: ["down", "wall", "proxy"],
    since: "2026-01-01T00:00:00.000Z",
    answered: isInterrupted ? 0 : 20,
  };
  const kinds = notify([failure], { failures: 20, trouble }).map(([kind]) => kind);
  expect(kinds).toEqual(isInterrupted ? ["interrupted"] : []);
});
