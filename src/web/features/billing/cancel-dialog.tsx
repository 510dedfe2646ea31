import { useMutation } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { planById } from "#plans/plans.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { describeLosses, formatDay } from "./format-billing.ts";
import { type BillingState, useAwaitBillingChange } from "./use-billing.ts";

/** Asks for confirmation before canceling and lists the consequences for this account. */
export function CancelDialog({ state, onClose }: { state: BillingState; onClose: () => void }) {
  const awaitNews = useAwaitBillingChange();
  const cancel = useMutation({
    mutationFn: async () => {
      const outcome = await call("POST /api/payment/cancel");
      await awaitNews((_, now) => !now?.subscription?.renewsAt);
      return outcome;
    },
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
  });
  const { subscription } = state;
  if (!subscription) return null;
  const { name } = planById(subscription.planId);
  const losses = describeLosses(state.onBasic);
  const end = subscription.renewsAt;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Cancel subscription"
      description={
        end
          ? `The ${name} plan stays yours until ${formatDay(end)} and is not billed again. Then your account moves to Basic.`
          : `The ${name} plan ends now and your account moves to Basic.`
      }
      footer={
        <>
          <Button onClick={onClose}>Keep {name}</Button>
          <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel {name}
          </Button>
        </>
      }
    >
      <div className="mt-4 grid gap-3">
        {losses.length > 0 && (
          <ul className="grid list-disc gap-1 ps-5">
            {losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        )}
        <p className="text-muted">
          Nothing is deleted. If you upgrade again, everything comes back as it was.
        </p>
        {cancel.error && (
          <p role="alert" className="text-removed">
            {cancel.error.message || "We couldn’t reach the server. Your plan continues."}
          </p>
        )}
      </div>
    </Dialog>
  );
}
