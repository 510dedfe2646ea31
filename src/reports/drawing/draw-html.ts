import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { escapeHtml } from "#contract/escape-html.ts";
import {
  barWidth,
  type ChangeEntry,
  type Chapter,
  chapterSentence,
  chartColors,
  chartNames,
  count,
  cut,
  describeChart,
  describeValue,
  drawValue,
  type Figures,
  type Fingerprint,
  figuresLine,
  fingerprintsSentence,
  headline,
  lineColor,
  type Overview,
  orderSentence,
  type Piece,
  type Step,
  summaryOf,
  time,
  type ValueSeries,
  valueLabels,
  worstOf,
} from "./pieces.ts";

/** Writes the same report as one self-contained HTML file without scripts. */
export function openHtml(path: string) {
  const file: WriteStream = createWriteStream(path);
  const written = finished(file);
  const fingerprints: Fingerprint[] = [];
  let job: string | undefined;
  const put = async (text: string) => {
    if (!file.write(text)) await once(file, "drain");
  };
  return {
    async draw(piece: Piece): Promise<void> {
      if (piece.kind === "overview") return put(overviewOf(piece));
      if (piece.kind === "change") {
        const { index, at, seal } = piece;
        if (seal) fingerprints.push({ job: job ?? "", index, at, seal });
        return put(changeOf(piece));
      }
      const close = job === undefined ? "" : "</section>\n";
      if (piece.kind === "chapter") {
        job = piece.name;
        return put(close + chapterOf(piece));
      }
      await put(`${close}${fingerprintsOf(fingerprints)}</main>\n</html>\n`);
      file.end();
      await written;
    },
  };
}

const dataUri = (bytes: Uint8Array, type: string) =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
const faint = (words: string) => (words ? `<p class="muted">${escapeHtml(words)}</p>` : "");

function overviewOf(overview: Overview): string {
  const { title, note, logo, from, to, madeAt, figures, steps, limits, jobs, opinion } = overview;
  const entries = jobs.map(
    ({ name, figures: { changes } }, at) =>
      `<li><a href="#job-${at + 1}">${escapeHtml(name)}</a> <span>${count(changes, "change")}</span></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Watchglass report: ${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<header>
${logo ? `<img class="logo" alt="Logo" src="${dataUri(logo, "image/png")}">` : ""}
<h1>${escapeHtml(title)}</h1>
<p class="muted">${time(from)} to ${time(to)} · made ${time(madeAt)}<br>${figuresLine(figures, jobs.length)}</p>
${note ? `<p class="note">${escapeHtml(note)}</p>` : ""}
</header>
<nav aria-labelledby="contents"><h2 id="contents">Contents</h2><ol${entries.length > 16 ? ' class="many"' : ""}><li><a href="#what-matters">What matters</a></li>${entries.join("")}<li><a href="#fingerprints">Fingerprints</a></li></ol></nav>
<main>
<section id="what-matters">
<h2>What matters</h2>
<p>${escapeHtml(headline(figures, jobs))}</p>
${opinion ? `<p>${escapeHtml(opinion)}</p>` : ""}
${limits.map(faint).join("\n")}
${figures.checks > 0 ? `${figuresTable(figures)}\n${chartOf(steps, 120)}` : ""}
${jobs.length > 0 ? jobsTable(jobs) : ""}
</section>
`;
}

function jobsTable(jobs: Overview["jobs"]): string {
  const rows = jobs.map((job, at) => {
    const { severity, words } = worstOf(job);
    const { checks, changes, failures } = job.figures;
    const worst = severity ? `<b class="${severity}">${severity}</b> ${escapeHtml(cut(words))}` : words;
    const available = checks === 0 ? "–" : `${Math.floor((1000 * (checks - failures)) / checks) / 10}%`;
    return `<tr><th scope="row"><a href="#job-${at + 1}">${escapeHtml(job.name)}</a></th><td>${worst}</td><td>${changes}</td><td>${failures}</td><td>${available}</td></tr>`;
  });
  const head = ["Job", "Most severe change", "Changes", "Failed", "Available"].map(
    (name) => `<th scope="col">${name}</th>`,
  );
  return `${jobs.length > 1 ? faint(orderSentence) : ""}
<div class="wide" role="region" tabindex="0" aria-label="Jobs, worst first"><table class="jobs"><thead><tr>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function chapterOf(chapter: Chapter): string {
  const { number, name, url, figures, steps, values, isOnly } = chapter;
  const isBrief = isOnly || (figures.changes === 0 && figures.failures === 0);
  return `<section id="job-${number}">
<h2>${escapeHtml(name)}</h2>
<p class="code muted">${escapeHtml(url)}</p>
${isBrief ? "" : `${figuresTable(figures)}\n${chartOf(steps, 60)}`}
${valuesOf(values)}
${faint(chapterSentence(chapter))}
`;
}

function changeOf(entry: ChangeEntry): string {
  const { rows, moreLines, facts, places, morePlaces } = entry;
  const lines = rows.map(({ label, lines: changed }) => {
    const texts = changed.flatMap(({ removed, added }) => [
      ...(removed === null ? [] : [`<del>− ${escapeHtml(cut(removed))}</del>`]),
      ...(added === null ? [] : [`<ins>+ ${escapeHtml(cut(added))}</ins>`]),
    ]);
    return `${label === null ? "" : `<p class="row">${escapeHtml(cut(label))}</p>`}<pre>${texts.join("\n")}</pre>`;
  });
  const list = (items: string[]) =>
    items.length > 0 ? `<ul>${items.map((item) => `<li>${escapeHtml(cut(item))}</li>`).join("")}</ul>` : "";
  const more = (number: number, what: string) => faint(number > 0 ? count(number, `more ${what}`) : "");
  return `${faint(entry.limit ?? "")}
<article class="${entry.severity}">
<h3>${escapeHtml(entry.summary)}</h3>
<p class="muted"><time datetime="${entry.at.toISOString()}">${time(entry.at)}</time> · ${entry.severity} · execution ${entry.index}</p>
${lines.join("\n")}
${more(moreLines, "changed line")}
${list(facts)}
${entry.picture ? `<img alt="Before and after: ${escapeHtml(entry.summary)}" src="${dataUri(entry.picture, "image/jpeg")}">` : ""}
${list(places)}
${more(morePlaces, "marked area")}
<p><a href="${escapeHtml(entry.link)}">Open in Watchglass</a></p>
</article>
`;
}

function fingerprintsOf(fingerprints: Fingerprint[]): string {
  const head = ["Execution", "Time", "Fingerprint (SHA-256)"].map((name) => `<th scope="col">${name}</th>`);
  const tables = [...Map.groupBy(fingerprints, ({ job }) => job)].map(([job, entries]) => {
    const rows = entries.map(
      ({ index, at, seal }) => `<tr><td>${index}</td><td>${time(at)}</td><td class="code">${seal}</td></tr>`,
    );
    return `<h3>${escapeHtml(job)}</h3>
<div class="wide" role="region" tabindex="0" aria-label="Fingerprints of ${escapeHtml(job)}"><table class="seals"><thead><tr>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
  });
  const words =
    fingerprints.length > 0 ? fingerprintsSentence : "No execution of this report has a fingerprint.";
  return `<section id="fingerprints">
<h2>Fingerprints</h2>
${faint(words)}
${tables.join("\n")}
</section>
`;
}

function figuresTable(figures: Figures): string {
  const rows = summaryOf(figures).map(
    ([name, value]) => `<tr><th scope="row">${name}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table class="figures">${rows.join("")}</table>`;
}

function chartOf(steps: Step[], height: number): string {
  const highest = Math.max(1, ...steps.map(({ fine, changed, failed }) => fine + changed + failed));
  if (steps.every(({ fine, changed, failed }) => fine + changed + failed === 0)) return "";
  const step = 700 / steps.length;
  const bars = steps.flatMap((one, at) => {
    let y = height;
    return (["fine", "changed", "failed"] as const).flatMap((part) => {
      const tall = (one[part] / highest) * height;
      if (tall === 0) return [];
      const shown = Math.max(tall, 1.5);
      y -= shown;
      return `<rect x="${(at * step).toFixed(1)}" y="${y.toFixed(1)}" width="${barWidth(step).toFixed(1)}" height="${shown.toFixed(1)}" fill="${chartColors[part]}"/>`;
    });
  });
  const legend = (["fine", "changed", "failed"] as const).map(
    (part) => `<span><i style="background:${chartColors[part]}"></i>${chartNames[part]}</span>`,
  );
  const day = (one: Step | undefined) => one?.at.toISOString().slice(0, 10) ?? "";
  return `<figure><svg viewBox="0 0 700 ${height}" role="img" aria-label="${describeChart(steps)}">${bars.join("")}</svg>
<figcaption><span>${day(steps[0])}</span>${legend.join("")}<span>${day(steps.at(-1))}</span></figcaption></figure>`;
}

function valuesOf(values: ValueSeries[]): string {
  return values
    .map((value) => {
      const words = escapeHtml(describeValue(value));
      const title = `<h3 class="value">${escapeHtml(value.name)}</h3>\n<p class="muted">${words}</p>`;
      return `${title}\n${valueChart(value, 70)}`;
    })
    .join("\n");
}

function valueChart(value: ValueSeries, height: number): string {
  const edges = valueLabels(value);
  if (!edges) return "";
  const { strokes, dots } = drawValue(value, 620, height);
  const round = (at: number) => Number(at.toFixed(1));
  const path = strokes
    .map(([x, y, toX, toY]) => `M${round(x)} ${round(y)}L${round(toX)} ${round(toY)}`)
    .join("");
  const marks = dots.map(
    ([x, y]) => `<circle cx="${round(x)}" cy="${round(y)}" r="2.5" fill="${chartColors.changed}"/>`,
  );
  const alt = `Chart of ${escapeHtml(value.name)} over time: ${escapeHtml(describeValue(value))}`;
  return `<figure><svg viewBox="-75 -6 700 ${height + 12}" role="img" aria-label="${alt}">
<text x="-8" y="4">${edges.top}</text><text x="-8" y="${height}">${edges.bottom}</text>
<path d="${path}" fill="none" stroke="${lineColor}" stroke-width="1.5"/>${marks.join("")}</svg></figure>`;
}

const style = `
:root{color-scheme:light;--ink:#1c2730;--muted:#5b6873;--line:#d5dbe0}
body{margin:0 auto;max-width:52rem;padding:2rem 1.25rem;color:var(--ink);background:#fff;font:15px/1.55 system-ui,sans-serif}
h1{font-size:1.9rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:0}
h1,h2,h3,p,td,li{overflow-wrap:anywhere}p{margin:.3rem 0}.muted,th,figcaption,nav span{color:var(--muted)}.logo{max-width:200px;max-height:60px}
.note{white-space:pre-wrap;margin-block:1rem}.code,pre{font-family:ui-monospace,monospace;font-size:.8rem}
table{border-collapse:collapse}th{font-weight:400;text-align:start;padding:.1rem 1.5rem .1rem 0}.figures td{font-weight:600}
.wide{overflow-x:auto}.jobs,.seals{margin-top:.75rem;font-size:.9rem}.jobs{width:100%;min-width:34rem}.jobs tr,.seals tr{border-bottom:1px solid var(--line);vertical-align:baseline}
.jobs td,.seals td{padding:.25rem 1rem .25rem 0}.jobs th:nth-child(n+3),.jobs td:nth-child(n+3){text-align:end;padding-inline-end:0;padding-inline-start:1rem;white-space:nowrap}
.jobs b.critical{color:#b3261e}.jobs b.important{color:#94600a}.jobs b.notice{color:#1f5fa8}.seals td{white-space:nowrap}.row{font-weight:600;font-size:.85rem;margin-top:.6rem}.many{columns:2 16rem}
figure{margin:1rem 0}svg{width:100%;border-bottom:1px solid var(--line)}svg text{font-size:11px;fill:var(--muted);text-anchor:end;dominant-baseline:middle}.value{margin-top:1rem;overflow-wrap:anywhere}@media(max-width:30rem){svg text{display:none}}figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:1rem;font-size:.8rem}
figcaption i{display:inline-block;width:.6rem;height:.6rem;margin-inline-end:.35rem}
nav ol{padding-inline-start:1.5rem}nav a,.jobs a,.jobs td{unicode-bidi:isolate}nav a,.jobs a{display:inline-block;min-height:24px;min-width:24px;line-height:24px}nav span{margin-inline-start:.75rem;font-size:.85rem}a{color:#006a78}
section{border-top:1px solid var(--line);margin-top:2rem}
article{border-inline-start:3px solid #5b6873;padding-inline-start:.9rem;margin:1.5rem 0;break-inside:avoid}
article.critical{border-color:#b3261e}article.important{border-color:#94600a}article.notice{border-color:#1f5fa8}
article img{max-width:100%;border:1px solid var(--line);margin-top:.5rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.15rem 0 .4rem}del{color:#b3261e;text-decoration:none}ins{color:#1b6e3c;text-decoration:none}
`;
