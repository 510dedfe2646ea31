// The pages of an export that people read. The server writes them, and the verifier derives them again from the sealed
// records and compares them. This file becomes part of the verifier, so it imports nothing that needs a package.
import { escapeHtml } from "#contract/escape-html.ts";
import type { Execution } from "#contract/job.ts";
import { changedTexts } from "#detection/change-summaries/changed-texts.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { padNumber, sayImport } from "./seal-format.ts";

export const articlesPerPage = 100;

/** What a page shows of an execution: its record as it is in the export. */
export type ViewRecord = Pick<
  Execution,
  "index" | "createdAt" | "status_code" | "changed" | "severity" | "error" | "summary" | "imported"
> & { verdict: unknown; seal: { hash: string } | null };

/** A page of an export that shows its executions without any script; the first is index.html. */
export function viewPage(
  job: { name: string; url: string },
  articles: string[],
  { page, isLast }: { page: number; isLast: boolean },
): { name: string; html: string } {
  const navigation = `<nav>${page > 1 ? `<a href="${pageName(page - 1)}">Newer</a>` : ""}${isLast ? "" : `<a href="${pageName(page + 1)}">Older</a>`}</nav>`;
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>${escapeHtml(job.name)}</title>
<style>${style}</style>
<header>
<h1>${escapeHtml(job.name)}</h1>
<p class="url">${escapeHtml(job.url)}</p>
<p>Unpack this export to see its pictures. <code>node verify.mjs FILE</code> checks the packed file: what is intact, missing or altered.</p>
</header>
${navigation}
<main>
${articles.join("\n") || "<p>Nothing was captured yet.</p>"}
</main>
${navigation}
</html>
`;
  return { name: pageName(page), html };
}

const pageName = (page: number) => (page === 1 ? "index.html" : `index-${page}.html`);

export function viewArticle(
  record: ViewRecord,
  { hasCapture, hasPicture }: { hasCapture: boolean; hasPicture: boolean },
): string {
  const stem = `executions/${padNumber(record.index)}`;
  const facts = [
    record.status_code === null ? "" : `status ${record.status_code}`,
    record.changed ? (record.severity ?? "changed") : "",
    record.error === null ? "" : "failed",
  ].filter(Boolean);
  const lines = changedTexts((record.verdict as Verdict | null)?.reasons ?? []).flatMap(
    ({ removed, added }) => [
      ...(removed === null ? [] : [`<del>− ${escapeHtml(removed)}</del>`]),
      ...(added === null ? [] : [`<ins>+ ${escapeHtml(added)}</ins>`]),
    ],
  );
  const files: [string, string][] = [
    ["record", ".json"],
    ...(hasCapture
      ? ([
          ["HTML", ".html.txt"],
          ["response", ".response.bin"],
          ["facts", ".facts.json"],
        ] as [string, string][])
      : []),
    ...(hasPicture ? ([["picture", ".png"]] as [string, string][]) : []),
  ];
  return `<article class="${record.changed ? "changed" : ""}" id="e${record.index}">
<h2>${record.index} · <time>${record.createdAt.slice(0, 19).replace("T", " ")} UTC</time> · ${escapeHtml(facts.join(", "))}</h2>
<p>${escapeHtml(record.summary)}</p>
${lines.length > 0 ? `<details${record.changed ? " open" : ""}><summary>${lines.length} changed ${lines.length === 1 ? "line" : "lines"}</summary><pre>${lines.slice(0, 200).join("\n")}</pre></details>` : ""}
${hasPicture ? `<details><summary>Picture</summary><img loading="lazy" src="${stem}.png" alt="What execution ${record.index} saw"></details>` : ""}
<p class="files">${files.map(([name, ending]) => `<a href="${stem}${ending}">${name}</a>`).join(" ")}</p>
${record.imported ? `<p class="imported">${escapeHtml(sayImport(record.imported))}</p>` : ""}
${record.seal ? `<p class="hash">Seal ${record.seal.hash}</p>` : '<p class="hash">Not sealed yet</p>'}
</article>`;
}

const style = `
:root{color-scheme:light dark;--ink:#1c2730;--muted:#5b6873;--line:#d5dbe0;--page:#fff;--link:#006a78;--old:#b3261e;--new:#1b6e3c;--edge:#94600a}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebef;--muted:#9aa7b2;--line:#33404a;--page:#10181e;--link:#5cc8d6;--old:#ff9d94;--new:#7bd89b;--edge:#e0ab52}}
body{margin:0 auto;max-width:60rem;padding:1.5rem;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.4rem;margin:0;overflow-wrap:anywhere}h2{font-size:.95rem;margin:0}
p{margin:.25rem 0}a{color:var(--link)}code,pre,.url,.hash{font-family:ui-monospace,monospace;font-size:.82rem}
.imported{color:var(--edge);overflow-wrap:anywhere}
.url,.hash,.files,header p{color:var(--muted);overflow-wrap:anywhere}
article{border-top:1px solid var(--line);padding:.9rem 0 .9rem .8rem;border-inline-start:3px solid transparent}
article.changed{border-inline-start-color:var(--edge)}
pre{margin:.4rem 0;white-space:pre-wrap;overflow-wrap:anywhere}del{color:var(--old);text-decoration:none}ins{color:var(--new);text-decoration:none}
img{max-width:100%;border:1px solid var(--line)}summary{cursor:pointer;color:var(--muted)}
nav{display:flex;gap:1rem;padding:.6rem 0}.files a{margin-inline-end:.8rem}
`;
