import { cx } from "./cx.ts";

export type Severity = "info" | "notice" | "important" | "critical";

const looks: Record<Severity, { word: string; edge: string; text: string }> = {
  critical: { word: "Critical", edge: "border-s-danger", text: "text-removed" },
  important: { word: "Important", edge: "border-s-changed-mark", text: "text-changed" },
  notice: { word: "Notice", edge: "border-s-info", text: "text-info" },
  info: { word: "Info", edge: "border-s-line-strong", text: "text-muted" },
};

/** Severity is a left edge and a word: this is the edge's class. */
export function severityEdge(severity: Severity): string {
  return cx("border-s-2", looks[severity].edge);
}

/** Severity as a word in its colour. */
export function SeverityWord({ severity }: { severity: Severity }) {
  return <span className={cx("text-xs font-medium", looks[severity].text)}>{looks[severity].word}</span>;
}
