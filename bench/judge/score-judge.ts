import { type OpinionClass, opinionClasses } from "#contract/second-opinion.ts";

/** One alert with its label, and what a model said about it. */
export type JudgedAlert = {
  name: string;
  isWanted: boolean;
  /** Null if there was no usable answer. */
  class: OpinionClass | null;
  /** Whether the product lets no model lower it. */
  isFixed: boolean;
  /** Whether the model judged only some of its blocks, so that the product doesn't lower it. */
  isPartial: boolean;
};

export type Row = {
  lowers: OpinionClass[];
  /** Share of all alerts that would go to the digest. */
  lowered: number;
  /** Share of the wanted alerts that are still sent at once; null without wanted ones. */
  recall: number | null;
  wrong: string[];
};

/** Recall at each share of lowered alerts: first only noise is lowered, then each class before it in importance too. */
export function scoreJudge(alerts: JudgedAlert[], isProtected: boolean): Row[] {
  const ascending = opinionClasses.toReversed();
  const wanted = alerts.filter(({ isWanted }) => isWanted);
  return ascending.slice(0, -1).map((_, at) => {
    const lowers = ascending.slice(0, at + 1);
    const isLowered = (alert: JudgedAlert) =>
      alert.class !== null &&
      lowers.includes(alert.class) &&
      !(isProtected && (alert.isFixed || alert.isPartial));
    const wrong = wanted.filter(isLowered).map(({ name }) => name);
    return {
      lowers,
      lowered: alerts.length === 0 ? 0 : alerts.filter(isLowered).length / alerts.length,
      recall: wanted.length === 0 ? null : (wanted.length - wrong.length) / wanted.length,
      wrong,
    };
  });
}
