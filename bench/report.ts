// How much memory a report takes: ten times the changes must not take ten times the memory.
import sharp from "sharp";
import type { ChangeEntry, Figures } from "../src/reports/drawing/pieces.ts";
import { openDrawing } from "../src/reports/open-drawing.ts";

const MiB = 1024 ** 2;
const pictures = 100;

const noise = Buffer.from(Uint8Array.from({ length: 984 * 376 * 3 }, (_, i) => (i * 7919) % 251));
const picture = await sharp(noise, { raw: { width: 984, height: 376, channels: 3 } })
  .jpeg()
  .toBuffer();
const at = new Date("2026-11-01T00:00:00Z");
const figures: Figures = {
  checks: 10_000,
  changes: 0,
  failures: 0,
  bySeverity: { critical: 0, important: 0, notice: 0, info: 0 },
  silenceMs: null,
};

function change(index: number): ChangeEntry {
  return {
    index,
    at,
    severity: "notice",
    summary: `Change ${index} of the page`,
    lines: Array.from({ length: 8 }, (_, line) => ({
      sign: "+",
      text: `Line ${line} of change ${index}`.repeat(4),
    })),
    moreLines: 0,
    places: [],
    headers: [],
    findings: [],
    seal: "0".repeat(64),
    link: "http://localhost/",
    picture: index <= pictures ? picture : null,
  };
}

async function peakOf(changes: number): Promise<{ mib: number; seconds: number; pdf: number }> {
  await using drawing = await openDrawing();
  const before = process.memoryUsage().rss;
  let peak = before;
  const started = performance.now();
  const jobs = [{ name: "Job", url: "http://localhost/", figures }];
  await drawing.draw({
    kind: "cover",
    title: "Bench",
    note: null,
    logo: null,
    from: at,
    to: at,
    madeAt: at,
    figures,
    steps: [],
    jobs,
  });
  await drawing.draw({
    kind: "chapter",
    number: 1,
    name: "Job",
    url: "",
    figures,
    steps: [],
    shown: changes,
  });
  for (let index = 1; index <= changes; index++) {
    await drawing.draw({ kind: "change", ...change(index) });
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  const { pdf } = await drawing.finish();
  peak = Math.max(peak, process.memoryUsage().rss);
  return { mib: (peak - before) / MiB, seconds: (performance.now() - started) / 1000, pdf: pdf.length / MiB };
}

await peakOf(50);
for (const changes of [200, 2000]) {
  const { mib, seconds, pdf } = await peakOf(changes);
  console.log(
    `${changes} changes, ${pictures} pictures: ${mib.toFixed(0)} MiB more memory, ${seconds.toFixed(1)} s, PDF of ${pdf.toFixed(1)} MiB`,
  );
}
