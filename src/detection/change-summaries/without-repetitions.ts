import { isMild } from "../severity/severity.ts";
import type { Change, Reason } from "../verdict/verdict.ts";

// What readers see only through other words of the page, if at all.
const unseenKinds = new Set<Reason["kind"]>(["data", "meta", "label", "hidden-text"]);

/**
 * Leaves out of a headline what no reader sees and what another reason already says: a price that changed in the text
 * and in the page's structured data is one fact. Something is always left, and so is everything graver than a notice.
 */
export function withoutRepetitions(reasons: Reason[]): Reason[] {
  const seen = reasons.filter(({ kind }) => !unseenKinds.has(kind));
  const shown = reasons.filter((reason) => {
    if (!isMild(reason)) return true;
    if (unseenKinds.has(reason.kind)) return !seen.some(({ kind }) => kind === "text" || kind === "value");
    return reason.kind !== "title" || !seen.some((other) => other !== reason && saysAll(other, reason));
  });
  return shown.length > 0 ? shown : reasons;
}

/** Whether every change of one reason is also told by another one. */
function saysAll(teller: Reason, { changes, count }: Reason): boolean {
  return (
    count === changes.length &&
    changes.every((change) => teller.changes.some((other) => holds(other, change)))
  );
}

function holds(whole: Change, part: Change): boolean {
  const contains = (text: string | null, piece: string | null) =>
    text === piece ||
    (text !== null && piece !== null && piece !== "" && (text.includes(piece) || piece.includes(text)));
  return contains(whole.before, part.before) && contains(whole.after, part.after);
}
