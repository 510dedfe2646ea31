import { Fragment } from "react";
import { type RuleKind, ruleKinds } from "#detection/selectors-and-ignore-rules/rule-kinds.ts";

/** What a field takes, with an example of each kind. */
export function RuleHelp({ field }: { field: keyof typeof ruleKinds }) {
  const kinds: readonly RuleKind[] = ruleKinds[field];
  return (
    <details className="min-w-0 text-sm text-muted">
      <summary className="w-fit cursor-pointer">Examples</summary>
      <dl className="mt-1.5 grid gap-x-4 gap-y-1 sm:grid-cols-[max-content_minmax(0,1fr)]">
        {kinds.map(({ example, means }) => (
          <Fragment key={example}>
            <dt>
              <code className="font-mono text-xs wrap-anywhere text-ink">{example}</code>
            </dt>
            <dd className="mb-1 sm:mb-0">
              <WithCode text={means} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
}

/** A text in which what stands between backticks is code. */
export function WithCode({ text }: { text: string }) {
  return text.split("`").map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // The parts of a text never move.
      <code key={at} className="font-mono text-xs wrap-anywhere">
        {part}
      </code>
    ),
  );
}
