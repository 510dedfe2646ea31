import type { Opinion } from "#contract/second-opinion.ts";
import { countOf } from "#web/ui/count-of.ts";

const classWords = {
  important: "important",
  uncertain: "uncertain",
  routine: "routine, can wait",
  noise: "noise",
} as const;
const signs = { added: "+", removed: "−", moved: "↕" } as const;

/** What a language model said about the change, marked as its words, with the lines that it rests on. */
export function OpinionPart({ opinion }: { opinion: Opinion }) {
  const { model, sentence, class: judged, blocks, lowered, why, inputTokens, outputTokens, cost } = opinion;
  const tokens = inputTokens + outputTokens;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 text-sm">
      {sentence && judged ? (
        <>
          <p className="wrap-anywhere">“{sentence}”</p>
          <p className="text-xs wrap-anywhere text-muted">
            Written by {model}, not checked by us. Its rating: {classWords[judged]}.
          </p>
          <ul className="grid gap-0.5 font-mono text-xs text-muted">
            {blocks.map(({ id, sign, text }) => (
              <li key={id} className="wrap-anywhere">
                {signs[sign]} {text}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="text-muted">
          No usable opinion{model && ` from ${model}`}. The alert was sent without one.
        </p>
      )}
      {lowered && <p>Moved to the daily digest because of this opinion.</p>}
      {why && <p className="text-muted">{why}</p>}
      {(tokens > 0 || opinion.isCached) && (
        <p className="figures text-xs text-muted">
          {opinion.isCached ? "Reused from an earlier identical change" : countOf(tokens, "token")}
          {cost !== null && !opinion.isCached && `, cost ${cost.toFixed(4)}`}
        </p>
      )}
    </div>
  );
}
