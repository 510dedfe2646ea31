import { Link } from "react-router";
import { formatPrice, type Plan, plans } from "#plans/plans.ts";
import { Icon } from "#web/ui/icon.tsx";

/** Names the first plan that includes a feature which the user's plan lacks. */
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
