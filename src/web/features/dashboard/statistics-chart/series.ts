/** The chart's series in order; the colors come from the specification. */
export const series = [
  { key: "logs", label: "Logs", color: "var(--color-series-logs)" },
  { key: "executions", label: "Executions", color: "var(--color-series-executions)" },
  { key: "errors", label: "Errors", color: "var(--color-series-errors)" },
] as const;
