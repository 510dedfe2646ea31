import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import type { Severity } from "#contract/job.ts";
import { openDrawing } from "../open-drawing.ts";
import { type ChangeEntry, type Figures, limitsOf, type Step } from "../pieces.ts";

export type SampleJob = {
  name: string;
  changes: ChangeEntry[];
  /** Changes that the report leaves out. */
  left?: number;
  failures?: number;
};

const start = new Date("2026-05-01T00:00:00Z");
const checks = 240;

/** Draws a report on jobs, which are given worst first, and returns its files. */
export async function drawSample(
  jobs: SampleJob[],
  {
    title = "Shop prices",
    note = null,
    opinion = null,
  }: { title?: string; note?: string | null; opinion?: string | null } = {},
): Promise<{ pdf: Buffer; html: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-sample-"));
  try {
    const drawing = openDrawing(folder);
    const steps = (changed: number): Step[] =>
      Array.from({ length: 30 }, (_, at) => ({
        at: new Date(start.getTime() + at * 86_400_000),
        fine: 8,
        changed: at < changed ? 1 : 0,
        failed: at % 11 === 3 ? 1 : 0,
      }));
    const subjects = jobs.map(({ name, changes, left = 0, failures = 0 }, at) => ({
      name,
      url: `https://shop.example/${at}`,
      figures: figuresOf(changes, left, failures),
      worst: changes[0]?.summary ?? null,
      steps: steps(changes.length),
      values: [],
    }));
    const all = jobs.flatMap(({ changes }) => changes);
    const left = jobs.reduce((sum, job) => sum + (job.left ?? 0), 0);
    const failures = jobs.reduce((sum, job) => sum + (job.failures ?? 0), 0);
    const figures = { ...figuresOf(all, left, failures), checks: checks * jobs.length };
    await drawing.draw({
      kind: "overview",
      title,
      note,
      logo: null,
      from: start,
      to: new Date("2026-05-31T00:00:00Z"),
      madeAt: new Date("2026-06-01T05:00:00Z"),
      figures,
      steps: steps(all.length),
      opinion,
      limits: limitsOf(figures.changes, all.length, 2000, 100),
      jobs: subjects,
    });
    for (const [at, subject] of subjects.entries()) {
      const changes = jobs[at]?.changes ?? [];
      const chapter = { number: at + 1, ...subject, shown: changes.length, isOnly: jobs.length === 1 };
      await drawing.draw({ kind: "chapter", ...chapter });
      for (const change of changes) await drawing.draw({ kind: "change", ...change });
    }
    return await drawing.finish();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function figuresOf(changes: ChangeEntry[], left: number, failures: number): Figures {
  const number = (wanted: Severity) => changes.filter(({ severity }) => severity === wanted).length;
  return {
    checks,
    changes: changes.length + left,
    failures,
    bySeverity: {
      critical: number("critical"),
      important: number("important"),
      notice: number("notice"),
      info: number("info") + left,
    },
    silenceMs: 3_600_000,
  };
}

let picture: Promise<Buffer> | undefined;

/** A change whose number decides how much it has: lines, locations, facts, and a picture at every third. */
export async function sampleChange(number: number, values: Partial<ChangeEntry> = {}): Promise<ChangeEntry> {
  picture ??= sharp({ create: { width: 984, height: 376, channels: 3, background: "#dfe7ea" } })
    .jpeg()
    .toBuffer();
  const lines = Array.from({ length: 1 + (number % 8) }, (_, at) => ({
    label: at === 3 ? null : `Row ${number}.${at}`,
    lines: [
      {
        removed: `${number}.${at}0 € before, ${"with more words ".repeat((number + at) % 9)}`.trim(),
        added: at % 4 === 1 ? null : `${number}.${at}9 € afterwards`,
      },
    ],
  }));
  return {
    index: 1000 - number,
    at: new Date(start.getTime() + number * 3_600_000),
    severity: (["notice", "important", "info", "notice"] as const)[number % 4] ?? "notice",
    summary: `Change ${number}: “Fjell lamp” 59.00 € → 64.00 €${" and a longer description of it".repeat(number % 5)}`,
    rows: lines,
    moreLines: number % 7 === 0 ? 12 : 0,
    places: Array.from({ length: number % 4 }, (_, at) => `“Place ${number}.${at}” moved`),
    morePlaces: 0,
    facts: number % 5 === 0 ? ["content-security-policy removed", "Found email: deal@shop.example"] : [],
    seal: createHash("sha256").update(String(number)).digest("hex"),
    link: `https://watchglass.example/jobs/1/${number}`,
    picture: number % 3 === 0 ? await picture : null,
    limit: null,
    ...values,
  };
}
