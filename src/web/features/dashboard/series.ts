/** The chart's series in their order; the colours are the specification's. */
export const series = [
  { key: "logs", label: "Logs", color: "var(--color-series-logs)" },
  { key: "executions", label: "Executions", color: "var(--color-series-executions)" },
  { key: "errors", label: "Errors", color: "var(--color-series-errors)" },
] as const;
