import { Skeleton } from "#web/ui/states.tsx";
import { CheckoutProvider } from "./checkout.tsx";
import { History } from "./history.tsx";
import { Plans } from "./plans.tsx";
import { Sandbox } from "./sandbox.tsx";
import { Standing } from "./standing.tsx";
import { useBillingState } from "./use-billing.ts";

/** The current plan, the available plans and the billing history. */
export function Billing() {
  const { data: state } = useBillingState();
  return (
    <CheckoutProvider>
      <div className="mx-auto grid max-w-240 gap-6">
        <h1 className="text-xl">Plan and billing</h1>
        <Standing />
        <Plans state={state} />
        <History />
        {state?.provider === "sandbox" && <Sandbox hasSubscription={state.subscription !== null} />}
        {state?.provider === "none" && (
          <p className="text-muted">No payments are taken on this installation: its operator sets plans.</p>
        )}
        {!state && <Skeleton className="h-16" />}
      </div>
    </CheckoutProvider>
  );
}
