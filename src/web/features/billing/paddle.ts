import type { Prepared } from "./use-billing.ts";

/** Opens Paddle's overlay; `onClose` receives whether a payment was completed. */
export async function openPaddleCheckout(
  { checkout, subscriptionId, token }: Prepared,
  onClose: (isPaid: boolean) => void,
): Promise<void> {
  const { paddle: paddleCheckout, email } = checkout;
  if (!paddleCheckout) throw new Error("The checkout could not be opened. Nothing was charged.");
  const { initializePaddle } = await import("@paddle/paddle-js");
  let isPaid = false;
  const paddle = await initializePaddle({
    environment: paddleCheckout.environment,
    token: paddleCheckout.clientToken,
    eventCallback: ({ name }) => {
      // These are values of Paddle's enum; importing the enum itself would bundle the whole package.
      if (name?.toString() === "checkout.completed") isPaid = true;
      if (name?.toString() === "checkout.closed") onClose(isPaid);
    },
  }).catch(() => undefined);
  if (!paddle)
    throw new Error(
      "We couldn’t load Paddle’s checkout. Nothing was charged. Reload the page and try again.",
    );
  const purchase = paddleCheckout.transactionId
    ? { transactionId: paddleCheckout.transactionId }
    : { items: [{ priceId: subscriptionId, quantity: 1 }], customData: { token } };
  paddle.Checkout.open({ ...purchase, customer: { email }, settings: { displayMode: "overlay" } });
}
