import { type CaptureResult, judgeSnapshot } from "#capture/capture-page.ts";
import type { CheckInput } from "#checks/check-input.ts";
import { type CheckResult, verdictOf } from "#checks/check-result.ts";
import { captureAndCompare } from "#checks/compare-capture.ts";
import { confirmChange } from "#checks/confirm-change.ts";
import type { Detector } from "#checks/deps.ts";
import { detect } from "#checks/detection-threads/detect.ts";
import { toStoredCapture } from "#checks/stored-capture.ts";
import type { Snapshot } from "#contract/capture.ts";
import { detectContentKind } from "#detection/file-formats/detect-content-kind.ts";
import { extractPage } from "#detection/html-parsing/extract-page.ts";
import { parseHtml } from "#detection/html-parsing/parse-html.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { fill } from "./fill.ts";
import { type Actual, judge } from "./judge.ts";
import type { Answer, Scenario } from "./scenario.ts";

const origin = "http://watched.example";

const detector: Detector = {
  compare: async (input) => detect.compare(input),
  learnFromConfirmation: async (input) => detect.learnFromConfirmation(input),
  findMeant: async (input) => detect.findMeant(input),
  view: async (input) => detect.view(input),
  values: async (input) => detect.values(input),
  holdsOneOf: async (input) => detect.holdsOneOf(input),
  kindOf: async (input) => detect.kindOf(input),
  decode: async (input) => detect.decode(input),
  recognize: async (input) => detect.recognize(input),
  sitePage: async (input) => detect.sitePage(input),
  siteList: async (input) => detect.siteList(input),
  siteDifference: async (input) => detect.siteDifference(input),
  replay: async (input) => detect.replay(input),
  viewAll: async (input) => detect.viewAll(input),
  cover: async (input) => detect.cover(input),
  elements: async (input) => detect.elements(input),
  pick: async (input) => detect.pick(input),
  applyAll: async (input) => detect.applyAll(input),
  writeTexts: async (input) => detect.writeTexts(input),
};

/** Runs a scenario through the steps of a check, without a browser or a database; returns the problems by step. */
export async function runDetection(scenario: Scenario): Promise<string[]> {
  const { job } = scenario;
  let requests = 0;
  let served: string | Answer = "";
  const capture = async (): Promise<CaptureResult> => {
    const snapshot = snapshotFor(scenario, served, requests++);
    const hasPassword = /type=.?password/.test(snapshot.html);
    const { previous = null } = input.request;
    const judged = await judgeSnapshot(
      { reader: detector },
      input.request,
      previous,
      asSeen(snapshot),
      hasPassword,
    );
    return judged.ok && !judged.unchanged ? { ...judged, snapshot } : judged;
  };
  const input: CheckInput = {
    cache: { hold: async () => undefined } as never,
    request: { url: addressOf(scenario) },
    memory: null,
    rules: {
      selector: job?.selector ?? null,
      ignore: job?.ignore ?? [],
      steps: job?.steps ?? null,
      compareAs: job?.compareAs ?? null,
    },
    isAwaited: false,
    lookup: job?.lookup ?? null,
    follow: job?.values ?? [],
    alertIf: job?.alertIf ?? null,
    lastValues: null,
    baseline: null,
  };
  const deps = { detector, capture };
  const problems: string[] = [];
  for (const [step, answer] of scenario.serves.entries()) {
    served = answer;
    const first = await captureAndCompare(deps, input, async () => {});
    const result = first.kind === "unconfirmed" ? await confirmChange(deps, input, first) : first;
    const expected = scenario.expect[Math.min(step, scenario.expect.length) - 1];
    const problem = expected && judge(expected, actualOf(result));
    if (problem) problems.push(`step ${step}: ${problem}`);
    input.memory = result.memory;
    if (result.kind === "captured" && result.isComplete) {
      const { snapshot } = result;
      if (result.values) input.lastValues = result.values;
      input.request.previous = result.evidence;
      input.baseline = { read: async () => toStoredCapture(snapshot), kept: { picture: null } as never };
    }
  }
  return problems;
}

function actualOf(result: CheckResult): Actual {
  const verdict = verdictOf(result);
  return {
    failure: result.kind === "failed" ? result.failure.message : null,
    changed: verdict?.changed ?? false,
    folded: verdict?.folded ?? false,
    untold: verdict?.untold ?? null,
    severity: verdict?.severity ?? "info",
    summary: verdict?.summary ?? "",
    reasons: verdict?.reasons ?? [],
    ignored: verdict?.ignored ?? [],
  };
}

/** With the title, text and forms that a browser would see, as far as walls are recognized by them. */
function asSeen(snapshot: Snapshot): Snapshot {
  const all = (pattern: RegExp) => [...snapshot.html.matchAll(pattern)].map(([, found = ""]) => found);
  const inputs = [{ name: "pass", type: "password" }];
  return {
    ...snapshot,
    title: all(/<title>(.*?)<\/title>/gs)[0] ?? "",
    text: textOf(snapshot.html, snapshot.finalUrl),
    forms: all(/<form[^>]*action="([^"]*)"/g).map((action) => ({
      action: new URL(action, snapshot.finalUrl).href,
      method: "post",
      inputs,
    })),
  };
}

const addressOf = (scenario: Scenario) => `${origin}${scenario.path ?? "/page"}`;

/** The text that a browser would show. */
function textOf(html: string, url: string): Snapshot["text"] {
  return extractPage(html, url, parseHtml(html)).blocks.filter((block) => block.hidden === "");
}

function snapshotFor(scenario: Scenario, served: string | Answer, request: number): Snapshot {
  const answer: Answer = typeof served === "string" ? { body: served } : served;
  const { body = "", type = "text/html; charset=utf-8", status = 200, headers = {}, location } = answer;
  const url = addressOf(scenario);
  const text = fill(typeof body === "string" ? body : Buffer.from(body).toString("utf8"), request, origin);
  const all: [string, string][] = [["content-type", type], ...Object.entries(headers)];
  const finalUrl = location === undefined ? url : new URL(fill(location, request, origin), url).href;
  const kind = detectContentKind(type, url, new TextEncoder().encode(text));
  return {
    ...snapshotOf(text, kind, url),
    text: scenario.job && kind === "html" ? textOf(text, url) : [],
    status,
    contentType: type,
    finalUrl,
    redirects: location === undefined ? [] : [{ url, status: 302 }],
    headers: all.map(([name, value]) => [name, fill(value, request, origin)]),
  };
}
