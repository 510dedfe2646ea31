import type { Condition } from "./condition.ts";

export const shown = (value: number) => String(Number(value.toPrecision(6)));

/** A condition in words. */
export function sayCondition(condition: Condition): string {
  switch (condition.what) {
    case "text":
      return `‘${condition.text}’ ${condition.is}`;
    case "number": {
      const { name, is, amount, percent } = condition;
      const isMove = is === "up" || is === "down";
      const by = isMove
        ? amount === 0
          ? ""
          : ` by ${shown(amount)}${percent ? " %" : ""}`
        : ` ${shown(amount)}`;
      return `${name} ${is}${by}`;
    }
    case "status":
      return `status ${condition.is}`;
    case "severity":
      return condition.atLeast === "critical" ? "critical" : `${condition.atLeast} or graver`;
    case "reason":
      return condition.kinds.join(" or ");
    default:
      return `only ${condition.is}`;
  }
}
