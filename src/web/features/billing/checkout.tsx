import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { call } from "#web/api/call.ts";
import { useMessageBox } from "#web/ui/message-box.tsx";
import { openPaddleCheckout } from "./paddle.ts";
import { PaymentDialog } from "./payment-dialog.tsx";
import { type Prepared, useAwaitBillingChange } from "./use-billing.ts";

type Checkout = { open: (planId: string) => void; opening: string | undefined };

const Context = createContext<Checkout>({ open: () => {}, opening: undefined });

/** Opens the checkout for a plan; `opening` is the plan that is being prepared. */
export const useCheckout = () => use(Context);

/** Prepares a payment and shows the checkout that the server chose. Closing it opens the dashboard. */
export function CheckoutProvider({ children }: { children: ReactNode }) {
  const [dialog, setDialog] = useState<{ planId: string; prepared: Prepared }>();
  const { box, show } = useMessageBox();
  const navigate = useNavigate();
  const awaitNews = useAwaitBillingChange();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (planId: string) => {
      const prepared = await call("GET /api/payment/prepare/:planId", { params: { planId } });
      if (prepared.code !== "PAYMENT_PREPARE_ACCEPTED") throw new Error(prepared.message);
      if (!prepared.checkout.paddle) return setDialog({ planId, prepared });
      await openPaddleCheckout(prepared, (isPaid) => {
        if (isPaid) void awaitNews((me) => me?.planId === planId);
        void navigate("/dashboard");
      });
    },
    onError: (error) =>
      show({
        title: "We couldn’t open the checkout",
        message: error.message || "We couldn’t reach the server. Nothing was charged.",
      }),
  });
  const opening = isPending ? variables : undefined;
  const value = useMemo(
    () => ({
      open: (planId: string) => {
        if (!opening) mutate(planId);
      },
      opening,
    }),
    [mutate, opening],
  );
  return (
    <Context value={value}>
      {children}
      {dialog && <PaymentDialog {...dialog} onClose={() => void navigate("/dashboard")} />}
      {box}
    </Context>
  );
}
