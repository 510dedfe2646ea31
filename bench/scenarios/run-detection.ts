import type { CaptureResult } from "#capture/capture-page.ts";
import type { Detector } from "#checks/deps.ts";
import { detect } from "#checks/detect.ts";
import { toKept } from "#checks/kept-view.ts";
import { type Known, type Look, look, lookTwice } from "#checks/look.ts";
import type { Snapshot } from "#contract/capture.ts";
import { contentKind } from "#detection/content-kind.ts";
import { snapshotOf } from "#detection/snapshot-of.ts";
import { fill } from "./fill.ts";
import { type Actual, judge } from "./judge.ts";
import type { Answer, Scenario } from "./scenario.ts";

const origin = "http://watched.example";

const detector: Detector = {
  compare: async (input) => detect.compare(input),
  learnTwin: async (input) => detect.learnTwin(input),
  findMeant: async (input) => detect.findMeant(input),
  view: async (input) => detect.view(input),
  values: async (input) => detect.values(input),
  holdsOneOf: async (input) => detect.holdsOneOf(input),
  kindOf: async (input) => detect.kindOf(input),
  decode: async (input) => detect.decode(input),
  recognize: async (input) => detect.recognize(input),
  replay: async (input) => detect.replay(input),
  viewAll: async (input) => detect.viewAll(input),
  cover: async (input) => detect.cover(input),
  elements: async (input) => detect.elements(input),
  pick: async (input) => detect.pick(input),
  applyAll: async (input) => detect.applyAll(input),
};

/** Runs a scenario through the checks' own look and the detector, without a browser; says what went wrong, by step. */
export async function runDetection(scenario: Scenario): Promise<string[]> {
  const { job } = scenario;
  let requests = 0;
  let shown: string | Answer = "";
  const capture = async (): Promise<CaptureResult> => {
    const snapshot = snapshotFor(scenario, shown, requests++);
    return { ok: true, unchanged: false, snapshot, evidence: {} as never };
  };
  const known: Known = {
    album: { hold: async () => undefined } as never,
    request: { url: addressOf(scenario) },
    memory: null,
    rules: { selector: job?.selector ?? null, ignore: job?.ignore ?? [] },
    isAwaited: false,
    lookup: job?.lookup ?? null,
    follow: [],
    alertIf: null,
    last: null,
    before: null,
  };
  const deps = { db: {} as never, blobs: {} as never, detector, capture };
  const problems: string[] = [];
  for (const [step, answer] of scenario.serves.entries()) {
    shown = answer;
    const first = await look(deps, known, async () => {});
    const finding = "sight" in first ? await lookTwice(deps, known, first) : first;
    const expected = scenario.expect[Math.min(step, scenario.expect.length) - 1];
    const problem = expected && judge(expected, actualOf(finding));
    if (problem) problems.push(`step ${step}: ${problem}`);
    known.memory = finding.memory;
    if (finding.complete && finding.snapshot) {
      const { snapshot } = finding;
      known.before = { read: async () => toKept(snapshot), kept: { picture: null } as never };
    }
  }
  return problems;
}

function actualOf({ failure, verdict }: Look): Actual {
  return {
    failure: failure?.message ?? null,
    changed: verdict?.changed ?? false,
    folded: verdict?.folded ?? false,
    severity: verdict?.severity ?? "info",
    summary: verdict?.summary ?? "",
    reasons: verdict?.reasons ?? [],
    ignored: verdict?.ignored ?? [],
  };
}

const addressOf = (scenario: Scenario) => `${origin}${scenario.path ?? "/page"}`;

function snapshotFor(scenario: Scenario, shown: string | Answer, request: number): Snapshot {
  const answer: Answer = typeof shown === "string" ? { body: shown } : shown;
  const { body = "", type = "text/html; charset=utf-8", status = 200, headers = {}, location } = answer;
  const url = addressOf(scenario);
  const text = fill(typeof body === "string" ? body : Buffer.from(body).toString("utf8"), request, origin);
  const all: [string, string][] = [["content-type", type], ...Object.entries(headers)];
  const finalUrl = location === undefined ? url : new URL(fill(location, request, origin), url).href;
  return {
    ...snapshotOf(text, contentKind(type, url, new TextEncoder().encode(text)), url),
    status,
    contentType: type,
    finalUrl,
    redirects: location === undefined ? [] : [{ url, status: 302 }],
    headers: all.map(([name, value]) => [name, fill(value, request, origin)]),
  };
}
