import type { Prepared } from "./use-billing.ts";

/** Opens Paddle's overlay; `onClose` is told whether something was paid. */
export async function openPaddleCheckout(
  { checkout, subscriptionId, token }: Prepared,
  onClose: (isPaid: boolean) => void,
): Promise<void> {
  const { paddle: opening, email } = checkout;
  if (!opening) throw new Error("The checkout could not be opened. Nothing was charged.");
  const { initializePaddle } = await import("@paddle/paddle-js");
  let isPaid = false;
  const paddle = await initializePaddle({
    environment: opening.environment,
    token: opening.clientToken,
    eventCallback: ({ name }) => {
      // The names of its enum; the enum itself would pull the whole package in.
      if (name?.toString() === "checkout.completed") isPaid = true;
      if (name?.toString() === "checkout.closed") onClose(isPaid);
    },
  }).catch(() => undefined);
  if (!paddle)
    throw new Error(
      "Paddle's checkout could not be loaded. Nothing was charged. Reload the page and try again.",
    );
  const bought = opening.transactionId
    ? { transactionId: opening.transactionId }
    : { items: [{ priceId: subscriptionId, quantity: 1 }], customData: { token } };
  paddle.Checkout.open({ ...bought, customer: { email }, settings: { displayMode: "overlay" } });
}
