import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { useCheckout } from "./checkout.tsx";
import { DifferenceDialog } from "./difference-dialog.tsx";
import { formatDay, priceOf } from "./format-billing.ts";
import { type BillingState, type PlanOffer, usePlans } from "./use-billing.ts";

/** One card per plan. */
export function Plans({ state }: { state: BillingState | undefined }) {
  const { data: plans, error, refetch } = usePlans();
  const [isComparing, setComparing] = useState(false);
  return (
    <section aria-labelledby="plans" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="plans" className="text-base">
          Plans
        </h2>
        <Button disabled={!plans} onClick={() => setComparing(true)}>
          What's the difference?
        </Button>
      </div>
      {error && !plans && (
        <div className="rounded-card border border-line bg-surface">
          <Failed title="We couldn’t load the plans" action="Try again" onAction={() => void refetch()}>
            {error.message || "We couldn’t reach the server."} Your own plan is not affected.
          </Failed>
        </div>
      )}
      <div className="grid gap-3 md:grid-cols-3">
        {!plans && !error && ["a", "b", "c"].map((key) => <Skeleton key={key} className="h-44" />)}
        {plans?.map((plan) => (
          <PlanCard key={plan.id} plan={plan} plans={plans} state={state} />
        ))}
      </div>
      {isComparing && plans && <DifferenceDialog plans={plans} onClose={() => setComparing(false)} />}
    </section>
  );
}

type PlanCardProps = { plan: PlanOffer; plans: PlanOffer[]; state: BillingState | undefined };

function PlanCard({ plan, plans, state }: PlanCardProps) {
  const price = plans.find((other) => other.current)?.price ?? 0;
  return (
    <article
      aria-labelledby={`plan-${plan.id}`}
      className={cx(
        "flex flex-col gap-4 rounded-card border bg-surface p-4",
        plan.current ? "border-accent-text" : "border-line",
      )}
    >
      <div className="grid gap-1">
        <h3 id={`plan-${plan.id}`} className="text-lg leading-6">
          {plan.name}
        </h3>
        <p className="text-muted">{plan.description}</p>
      </div>
      <p className="mt-auto flex items-baseline gap-1.5">
        <span className="figures text-2xl font-semibold">{priceOf(plan.price)}</span>
        <span className="text-sm text-muted">a month</span>
      </p>
      <div className="flex h-8 items-center">
        {plan.current ? (
          <p className="flex items-center gap-2 text-sm font-medium text-accent-text">
            <Icon name="check" />
            Current plan
          </p>
        ) : (
          <Choose plan={plan} isUpgrade={plan.price > price} state={state} />
        )}
      </div>
    </article>
  );
}

function Choose({
  plan,
  isUpgrade,
  state,
}: {
  plan: PlanOffer;
  isUpgrade: boolean;
  state: BillingState | undefined;
}) {
  const { open, opening } = useCheckout();
  const [isConfirming, setConfirming] = useState(false);
  const describedBy = `plan-${plan.id}`;
  if (plan.price > 0) {
    return (
      <Button
        look={isUpgrade ? "primary" : "secondary"}
        busy={opening === plan.id}
        aria-describedby={describedBy}
        onClick={() => open(plan.id)}
      >
        {isUpgrade ? "Upgrade" : "Downgrade"}
      </Button>
    );
  }
  if (!state?.subscription) return null;
  const { endsAt } = state.subscription;
  if (endsAt) return <p className="text-sm text-muted">From {formatDay(endsAt)}</p>;
  return (
    <>
      <Button aria-describedby={describedBy} onClick={() => setConfirming(true)}>
        Downgrade
      </Button>
      {isConfirming && <CancelDialog state={state} onClose={() => setConfirming(false)} />}
    </>
  );
}
