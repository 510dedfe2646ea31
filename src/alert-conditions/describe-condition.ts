import type { Condition } from "#contract/alert-if.ts";
import { describeAtLeast } from "#detection/severity/severity.ts";

export const shown = (value: number) => String(Number(value.toPrecision(6)));

/** Describes a condition in words. */
export function describeCondition(condition: Condition): string {
  switch (condition.what) {
    case "text":
      return `‘${condition.text}’ ${condition.is}`;
    case "number": {
      const { name, is, amount, percent } = condition;
      const isMove = is === "up" || is === "down";
      const by = isMove
        ? amount === 0
          ? ""
          : ` by ${shown(amount)}${percent ? "%" : ""}`
        : ` ${shown(amount)}`;
      return `${name} ${is}${by}`;
    }
    case "status":
      return `status ${condition.is}`;
    case "severity":
      return describeAtLeast(condition.atLeast);
    case "reason":
      return condition.kinds.join(" or ");
    case "size":
      return `${condition.of} ${condition.is} ${shown(condition.amount)}`;
    case "similarity":
      return `similarity ${condition.is} ${shown(condition.amount)}%`;
    case "matches":
      return `matches of ‘${condition.text}’ ${condition.is} ${shown(condition.amount)}`;
    default:
      return `only ${condition.is}`;
  }
}
