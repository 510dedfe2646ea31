import { useMutation } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useRefreshBilling } from "./use-billing.ts";

/** Explains that no money moves here, and lets users advance the clock of their own subscription. */
export function Sandbox({ hasSubscription }: { hasSubscription: boolean }) {
  const refresh = useRefreshBilling();
  const advance = useMutation({
    mutationFn: (days: number) => call("POST /api/payment/sandbox/advance", { body: { days } }),
    onSuccess: async ({ message }) => {
      await refresh();
      toast.success(message);
    },
    onError: (error) => toast.error(error.message || "We couldn’t move the clock: the server didn’t answer."),
  });
  return (
    <aside className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-dashed border-line-strong px-4 py-3">
      <Icon name="info" className="text-info" />
      <p className="min-w-60 flex-1 text-muted">
        <span className="font-medium text-ink">Sandbox checkout.</span> No money moves on this installation.
        {hasSubscription && " Move your subscription’s clock to see what renewals and ends do."}
      </p>
      {hasSubscription && (
        <div className="flex gap-2">
          {[
            { days: 1, label: "+1 day" },
            { days: 31, label: "+31 days" },
          ].map(({ days, label }) => (
            <Button
              key={days}
              size="sm"
              icon="clock"
              busy={advance.isPending && advance.variables === days}
              onClick={() => !advance.isPending && advance.mutate(days)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </aside>
  );
}
