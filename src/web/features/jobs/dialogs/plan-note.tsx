import { Link } from "react-router";
import { formatPrice, type Plan, plans } from "#contract/plans.ts";
import { Icon } from "#web/ui/icon.tsx";

/** Says which plan includes what this one does not. */
export function PlanNote({ what, includes }: { what: string; includes: (plan: Plan) => boolean }) {
  const plan = plans.find(includes);
  if (!plan) return null;
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <Icon name="info" className="text-info" />
      <span>
        {what} comes with{" "}
        <Link
          to="/dashboard?view=billing"
          className="font-medium text-accent-text underline underline-offset-2"
        >
          {plan.name}, {formatPrice(plan.priceCents)} a month
        </Link>
        .
      </span>
    </p>
  );
}
