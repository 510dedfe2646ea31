import { cx } from "./cx.ts";

export type Severity = "info" | "notice" | "important" | "critical";

const severityStyles: Record<Severity, { word: string; edge: string; text: string }> = {
  critical: { word: "Critical", edge: "border-s-danger", text: "text-removed" },
  important: { word: "Important", edge: "border-s-changed-mark", text: "text-changed" },
  notice: { word: "Notice", edge: "border-s-info", text: "text-info" },
  info: { word: "Info", edge: "border-s-line-strong", text: "text-muted" },
};

/** Returns the classes of the left edge that shows a severity, next to its word. */
export function severityEdge(severity: Severity): string {
  return cx("border-s-2", severityStyles[severity].edge);
}

/** A severity as a word in its color. */
export function SeverityWord({ severity }: { severity: Severity }) {
  return (
    <span className={cx("text-xs font-medium whitespace-nowrap", severityStyles[severity].text)}>
      {severityStyles[severity].word}
    </span>
  );
}
