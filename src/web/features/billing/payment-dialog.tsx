import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { testCards } from "#billing/test-cards.ts";
import { formatPrice, planById } from "#plans/plans.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { type Prepared, useAwaitBillingChange } from "./use-billing.ts";

const cards = [
  { number: testCards.pays, what: "pays" },
  { number: testCards.declined, what: "declined" },
  { number: testCards.paysOnce, what: "works once" },
];

/** Our own checkout: for the sandbox, and to confirm a change of plan on a running subscription. */
export function PaymentDialog({
  planId,
  prepared: { checkout, token },
  onClose,
}: {
  planId: string;
  prepared: Prepared;
  onClose: () => void;
}) {
  const [card, setCard] = useState<string>(testCards.pays);
  const awaitNews = useAwaitBillingChange();
  const plan = planById(planId);
  const isSandbox = checkout.provider === "sandbox";
  const due = formatPrice(checkout.dueCents ?? 0);
  const isFree = checkout.dueCents === 0;
  const pay = useMutation({
    mutationFn: async () => {
      await (isSandbox
        ? call("POST /api/payment/sandbox/complete", { body: { token, card } })
        : call("POST /api/payment/change", { body: { token } }));
      await awaitNews((me) => me?.planId === planId);
    },
  });
  if (pay.isSuccess) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Payment received"
        description={`The ${plan.name} plan is yours from now on. An email with the details is on its way to ${checkout.email}.`}
        footer={
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        }
      />
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Checkout: ${plan.name}`}
      description={
        isSandbox ? "Sandbox: no money moves. Choose one of the test cards." : "Your card on file is used."
      }
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" form="payment" busy={pay.isPending}>
            {isFree ? `Switch to ${plan.name}` : `Pay ${due}`}
          </Button>
        </>
      }
    >
      <form
        id="payment"
        className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!pay.isPending) pay.mutate();
        }}
      >
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5">
          <dt className="text-muted">Email</dt>
          <dd className="text-end">{checkout.email}</dd>
          <dt className="text-muted">Every month</dt>
          <dd className="figures text-end">{formatPrice(plan.priceCents)}</dd>
          <dt className="text-muted">Due now</dt>
          <dd className="figures text-end font-medium">{due}</dd>
        </dl>
        {checkout.purpose === "change" && (
          <p className="text-sm text-muted">
            {isFree
              ? "Anything you’ve already paid beyond this plan is credited to your next bills."
              : "The difference for the rest of this month; from the next one on, the full price."}
          </p>
        )}
        {isSandbox && (
          <fieldset className="grid gap-2">
            <legend className="mb-1.5 text-sm font-medium">Test card</legend>
            {cards.map(({ number, what }) => (
              <label
                key={number}
                className="flex cursor-pointer items-center gap-3 rounded-control border border-line px-3 py-2 transition-colors hover:bg-hover has-checked:border-accent-text has-checked:bg-accent-bg has-focus-visible:outline-2 has-focus-visible:outline-accent-text"
              >
                <input
                  type="radio"
                  name="card"
                  value={number}
                  checked={card === number}
                  onChange={() => {
                    setCard(number);
                    pay.reset();
                  }}
                  className="accent-accent-text"
                />
                <span className="grid flex-1 gap-x-3 sm:grid-cols-[auto_1fr]">
                  <span className="font-mono text-sm whitespace-nowrap">
                    {number.replace(/(\d{4})(?=\d)/g, "$1 ")}
                  </span>
                  <span className="text-sm text-muted sm:text-end">{what}</span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {pay.error && (
          <p role="alert" className="flex items-start gap-2 text-removed">
            <Icon name="alert" className="mt-0.5" />
            {pay.error.message || "We couldn’t reach the server. Check your plan before you pay again."}
          </p>
        )}
      </form>
    </Dialog>
  );
}
