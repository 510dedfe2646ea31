import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { escapeHtml } from "#contract/escape-html.ts";
import {
  barWidth,
  type ChangeEntry,
  type Chapter,
  type Cover,
  chartColors,
  chartNames,
  chartWords,
  cut,
  drawValue,
  type Figures,
  figuresLine,
  lineColor,
  type Piece,
  type Step,
  summaryOf,
  time,
  type ValueSeries,
  valueEdges,
  valueWords,
} from "./pieces.ts";

/** Writes the same report as one HTML file that needs nothing else and runs nothing. */
export function openHtml(path: string) {
  const file: WriteStream = createWriteStream(path);
  const written = finished(file);
  let isOpen = false;
  const put = async (text: string) => {
    if (!file.write(text)) await once(file, "drain");
  };
  return {
    async draw(piece: Piece): Promise<void> {
      if (piece.kind === "cover") return put(coverOf(piece));
      if (piece.kind === "change") return put(changeOf(piece));
      const close = isOpen ? "</section>\n" : "";
      isOpen = true;
      if (piece.kind === "chapter") return put(close + chapterOf(piece));
      await put(`${close}</main>\n</html>\n`);
      file.end();
      await written;
    },
  };
}

const dataUri = (bytes: Uint8Array, type: string) =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

function coverOf(cover: Cover): string {
  const { title, note, logo, from, to, madeAt, figures, steps, values, moreValues, jobs } = cover;
  const nothing =
    jobs.length === 0
      ? "<p>The jobs of this report do not exist any more.</p>"
      : figures.checks === 0
        ? "<p>Nothing was checked in this time.</p>"
        : "";
  const entries = jobs.map(
    ({ name, figures: { changes } }, at) =>
      `<li><a href="#job-${at + 1}">${escapeHtml(name)}</a> <span>${changes} ${changes === 1 ? "change" : "changes"}</span></li>`,
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
<p class="muted">${time(from)} to ${time(to)}<br>${figuresLine(figures, jobs.length)}<br>Made ${time(madeAt)}</p>
${note ? `<p class="note">${escapeHtml(note)}</p>` : ""}
<h2>Summary</h2>
${nothing}
${figuresTable(figures)}
${chartOf(steps, 120)}
${valuesOf(values)}
${moreValues > 0 ? `<p class="muted">${moreValues} more followed ${moreValues === 1 ? "value stands with its job" : "values stand with their jobs"}.</p>` : ""}
</header>
<nav aria-labelledby="contents"><h2 id="contents">Contents</h2><ol>${entries.join("")}</ol></nav>
<main>
`;
}

function chapterOf({ number, name, url, figures, steps, values, shown }: Chapter): string {
  const left = figures.changes - shown;
  const words =
    figures.changes === 0
      ? figures.checks === 0
        ? "Nothing was checked in this time."
        : "Nothing changed in this time."
      : left > 0
        ? `The newest ${shown} changes follow; ${left} older ${left === 1 ? "one is" : "ones are"} not shown.`
        : "";
  return `<section id="job-${number}">
<h2>${escapeHtml(name)}</h2>
<p class="code muted">${escapeHtml(url)}</p>
${figuresTable(figures)}
${chartOf(steps, 60)}
${valuesOf(values)}
${words ? `<p class="muted">${words}</p>` : ""}
`;
}

function changeOf(entry: ChangeEntry): string {
  const lines = entry.lines.map(({ sign, text }) =>
    sign === "+" ? `<ins>+ ${escapeHtml(cut(text))}</ins>` : `<del>− ${escapeHtml(cut(text))}</del>`,
  );
  const facts = [...entry.headers, ...entry.findings.map((finding) => `Found ${cut(finding)}`)];
  const list = (items: string[]) =>
    items.length > 0 ? `<ul>${items.map((item) => `<li>${escapeHtml(cut(item))}</li>`).join("")}</ul>` : "";
  return `<article class="${entry.severity}">
<h3>${escapeHtml(entry.summary)}</h3>
<p class="muted"><time datetime="${entry.at.toISOString()}">${time(entry.at)}</time> · ${entry.severity} · execution ${entry.index}</p>
${lines.length > 0 ? `<pre>${lines.join("\n")}</pre>` : ""}
${entry.moreLines > 0 ? `<p class="muted">${entry.moreLines} more ${entry.moreLines === 1 ? "line" : "lines"}</p>` : ""}
${list(facts)}
${entry.picture ? `<img alt="Before and after: ${escapeHtml(entry.summary)}" src="${dataUri(entry.picture, "image/jpeg")}">` : ""}
${list(entry.places)}
${entry.seal ? `<p class="code muted">Seal ${entry.seal}</p>` : ""}
<p><a href="${escapeHtml(entry.link)}">Open in Watchglass</a></p>
</article>
`;
}

function figuresTable(figures: Figures): string {
  const rows = summaryOf(figures).map(
    ([name, value]) => `<tr><th scope="row">${name}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table>${rows.join("")}</table>`;
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
  return `<figure><svg viewBox="0 0 700 ${height}" role="img" aria-label="${chartWords(steps)}">${bars.join("")}</svg>
<figcaption><span>${day(steps[0])}</span>${legend.join("")}<span>${day(steps.at(-1))}</span></figcaption></figure>`;
}

function valuesOf(values: ValueSeries[]): string {
  return values
    .map((value) => {
      const words = escapeHtml(valueWords(value));
      const title = `<h3 class="value">${escapeHtml(value.name)}</h3>\n<p class="muted">${words}</p>`;
      return `${title}\n${valueChart(value, 70)}`;
    })
    .join("\n");
}

function valueChart(value: ValueSeries, height: number): string {
  const edges = valueEdges(value);
  if (!edges) return "";
  const { strokes, dots } = drawValue(value, 620, height);
  const round = (at: number) => Number(at.toFixed(1));
  const path = strokes
    .map(([x, y, toX, toY]) => `M${round(x)} ${round(y)}L${round(toX)} ${round(toY)}`)
    .join("");
  const marks = dots.map(
    ([x, y]) => `<circle cx="${round(x)}" cy="${round(y)}" r="2.5" fill="${chartColors.changed}"/>`,
  );
  const alt = `Chart of ${escapeHtml(value.name)} over time: ${escapeHtml(valueWords(value))}`;
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
table{border-collapse:collapse}th{font-weight:400;text-align:start;padding:.1rem 1.5rem .1rem 0}td{font-weight:600}
figure{margin:1rem 0}svg{width:100%;border-bottom:1px solid var(--line)}svg text{font-size:11px;fill:var(--muted);text-anchor:end;dominant-baseline:middle}.value{margin-top:1rem;overflow-wrap:anywhere}@media(max-width:30rem){svg text{display:none}}figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:1rem;font-size:.8rem}
figcaption i{display:inline-block;width:.6rem;height:.6rem;margin-inline-end:.35rem}
nav ol{padding-inline-start:1.5rem}nav span{margin-inline-start:.75rem;font-size:.85rem}a{color:#006a78}
section{border-top:1px solid var(--line);margin-top:2rem}
article{border-inline-start:3px solid #5b6873;padding-inline-start:.9rem;margin:1.5rem 0;break-inside:avoid}
article.critical{border-color:#b3261e}article.important{border-color:#94600a}article.notice{border-color:#1f5fa8}
article img{max-width:100%;border:1px solid var(--line);margin-top:.5rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}del{color:#b3261e;text-decoration:none}ins{color:#1b6e3c;text-decoration:none}
`;
