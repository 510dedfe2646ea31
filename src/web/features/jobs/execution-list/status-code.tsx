import { cx } from "#web/ui/cx.ts";

/** The specification's colors: 2xx green, 3xx yellow, 4xx red, other gray. */
export function statusTone(code: number | null): "green" | "yellow" | "red" | "gray" {
  const kind = code === null ? 0 : Math.floor(code / 100);
  return kind === 2 ? "green" : kind === 3 ? "yellow" : kind === 4 ? "red" : "gray";
}

const toneClasses = {
  green: "bg-added-bg text-added",
  yellow: "bg-changed-bg text-changed",
  red: "bg-removed-bg text-removed",
  gray: "bg-fill text-muted",
};

export function StatusCode({ code }: { code: number | null }) {
  return (
    <span
      title={code === null ? "No answer" : `HTTP status ${code}`}
      className={cx("rounded-sm px-1.5 font-mono text-xs font-medium", toneClasses[statusTone(code)])}
    >
      {code ?? "–"}
    </span>
  );
}
