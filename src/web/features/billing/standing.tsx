import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { formatPrice, planById } from "#plans/plans.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { useCheckout } from "./checkout.tsx";
import { formatDay } from "./format-billing.ts";
import { UsageBar } from "./usage-bar.tsx";
import { type BillingState, useAwaitBillingChange, useBillingState } from "./use-billing.ts";

/** The current plan: its price, when it renews or ends, and how much of it is used. */
export function Standing() {
  const { data: state, error, refetch } = useBillingState();
  if (error && !state) {
    return (
      <Card title="Your plan">
        <Failed title="We couldn’t load your plan" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."} Your plan hasn’t changed.
        </Failed>
      </Card>
    );
  }
  if (!state) return <Skeleton className="h-44" />;
  const plan = planById(state.planId);
  return (
    <>
      <Unpaid state={state} />
      <Card title="Your plan" aside={<Action state={state} />}>
        <div className="grid gap-5 p-4">
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <p className="text-xl font-semibold">{plan.name}</p>
            <p className="text-muted">
              <Until state={state} />
            </p>
          </div>
          <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))] gap-x-8 gap-y-4">
            {state.usage.map((usage) => (
              <li key={usage.name}>
                <UsageBar {...usage} />
              </li>
            ))}
          </ul>
        </div>
      </Card>
    </>
  );
}

function Until({ state }: { state: BillingState }) {
  const { subscription } = state;
  const price = formatPrice(planById(state.planId).priceCents);
  if (state.planId === "basic") return "Free, for as long as you like";
  if (!subscription) return "Set by the operator of this installation";
  if (subscription.endsAt) return `Ends on ${formatDay(subscription.endsAt)}, then Basic`;
  return subscription.renewsAt
    ? `${price} a month · Renews on ${formatDay(subscription.renewsAt)}`
    : `${price} a month`;
}

function Action({ state }: { state: BillingState }) {
  const [isConfirming, setConfirming] = useState(false);
  const awaitNews = useAwaitBillingChange();
  const resume = useMutation({
    mutationFn: async () => {
      const outcome = await call("POST /api/payment/resume");
      await awaitNews((_, now) => !now?.subscription?.endsAt);
      return outcome;
    },
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) =>
      toast.error(error.message || "Your plan is still canceled: we couldn’t reach the server."),
  });
  const { subscription } = state;
  if (!subscription) return null;
  if (subscription.endsAt && subscription.status !== "past_due") {
    return (
      <Button look="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
        Resume subscription
      </Button>
    );
  }
  return (
    <>
      <Button onClick={() => setConfirming(true)}>Cancel subscription</Button>
      {isConfirming && <CancelDialog state={state} onClose={() => setConfirming(false)} />}
    </>
  );
}

/** A notice about a failed payment: what it means, and a button to pay. */
function Unpaid({ state }: { state: BillingState }) {
  const { open, opening } = useCheckout();
  const { subscription } = state;
  if (subscription?.status !== "past_due") return null;
  const { planId, endsAt } = subscription;
  const { name } = planById(planId);
  const isOver = state.planId !== planId;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line border-s-3 border-s-danger bg-surface px-4 py-3"
    >
      <Icon name="alert" className="text-removed" />
      <p className="min-w-60 flex-1">
        <span className="font-medium">The last payment failed.</span>{" "}
        <span className="text-muted">
          {isOver
            ? `The ${name} plan has ended. Pay to get it back, with everything as it was.`
            : `You keep the ${name} plan until ${endsAt ? formatDay(endsAt) : "the grace period ends"}. Pay before that and nothing changes.`}
        </span>
      </p>
      <Button look="primary" busy={opening === planId} onClick={() => open(planId)}>
        Pay now
      </Button>
    </div>
  );
}
