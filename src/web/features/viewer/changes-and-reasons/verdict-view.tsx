import type { ReactNode } from "react";
import { cx } from "#web/ui/cx.ts";
import { type Severity, SeverityWord, severityEdge } from "#web/ui/severity.tsx";

export type Change = {
  id?: string | undefined;
  where: string;
  before: string | null;
  after: string | null;
  region?: number | undefined;
};
export type Reason = { kind: string; severity: Severity; summary: string; changes: Change[]; count: number };
export type Finding = { kind: string; severity: Severity; value: string; where: string };

// Up to this many differences are expanded from the start: they are what users come for.
const shownChanges = 6;

export const textButton = "rounded-sm font-medium text-accent-text underline underline-offset-2";

export function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="grid gap-2 border-b border-line px-4 py-3 last:border-0">
      <div className="flex items-baseline gap-2 text-sm">
        <h3 className="flex-1">{title}</h3>
        {note !== undefined && <span className="figures text-xs text-muted">{note}</span>}
      </div>
      {children}
    </section>
  );
}

type ReasonsProps = {
  reasons: Reason[];
  /** The actions for a difference. */
  tools: (change: Change) => ReactNode;
  /** The region in focus, whose difference is highlighted. */
  region: number | undefined;
};

/** The reasons for the verdict, most severe first. */
export function Reasons({ reasons, tools, region }: ReasonsProps) {
  return (
    <ul className="grid gap-2">
      {reasons.map((reason, i) => (
        <li key={i} className={cx("grid gap-1 ps-2.5", severityEdge(reason.severity))}>
          <p className="text-sm font-medium">{reason.summary}</p>
          <SeverityWord severity={reason.severity} />
          {reason.changes.length > 0 && (
            <details className="text-xs" open={isAlwaysOpen(reason.kind) || reason.count <= shownChanges}>
              <summary className="w-max rounded-sm text-muted hover:text-ink">
                {reason.count} {reason.count === 1 ? "difference" : "differences"}
              </summary>
              <ul className="mt-1 grid gap-1.5">
                {reason.changes.map((change, at) => (
                  <li
                    key={at}
                    aria-current={(change.region !== undefined && change.region === region) || undefined}
                    className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-sm aria-[current]:bg-hover"
                  >
                    <BeforeAfter {...change} />
                    {tools(change)}
                  </li>
                ))}
                {reason.count > reason.changes.length && (
                  <li className="text-muted">and {reason.count - reason.changes.length} more</li>
                )}
              </ul>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

const isAlwaysOpen = (kind: string) => ["status", "redirect", "header", "cookie", "title"].includes(kind);

/** The content before and after a change, as text. */
export function BeforeAfter({ where, before, after }: Pick<Change, "where" | "before" | "after">) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5 font-mono text-xs">
      {where && <span className="font-sans text-muted">{where}</span>}
      {before !== null && <Piece sign="−" look="bg-removed-bg text-removed" text={before} />}
      {after !== null && <Piece sign="+" look="bg-added-bg text-added" text={after} />}
    </div>
  );
}

function Piece({ sign, look, text }: { sign: string; look: string; text: string }) {
  return (
    <span className={cx("flex gap-1.5 rounded-sm px-1.5", look)}>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{sign === "+" ? "now:" : "before:"}</span>
      <span className="line-clamp-4 min-w-0 wrap-anywhere" dir="auto">
        {text}
      </span>
    </span>
  );
}

const kinds: Record<string, string> = {
  url: "URL",
  endpoint: "Endpoint",
  parameter: "Parameter",
  form: "Form",
  input: "Input",
  "script-host": "Script host",
  email: "Email",
  comment: "Comment",
  bucket: "Bucket",
  secret: "Secret",
  "source-map": "Source map",
  "stack-trace": "Stack trace",
  "directory-listing": "Directory listing",
  "weaker-header": "Weaker header",
  "weaker-cookie": "Weaker cookie",
};

/** What a security engineer would look for in the new content. */
export function Findings({ findings }: { findings: Finding[] }) {
  return (
    <ul className="grid gap-2">
      {findings.map((finding, i) => (
        <li key={i} className={cx("grid gap-0.5 ps-2.5", severityEdge(finding.severity))}>
          <span className="flex items-baseline gap-2 text-xs text-muted">
            <span className="font-medium text-ink">{kinds[finding.kind] ?? finding.kind}</span>
            <SeverityWord severity={finding.severity} />
            <span className="truncate" title={finding.where}>
              {finding.where}
            </span>
          </span>
          <span className="font-mono text-xs" dir="auto">
            {finding.value}
          </span>
        </li>
      ))}
    </ul>
  );
}
