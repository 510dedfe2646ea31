import type { PaddleEventData } from "@paddle/paddle-js";
import { afterEach, expect, test, vi } from "vitest";
import { openPaddleCheckout } from "./paddle.ts";
import type { Prepared } from "./use-billing.ts";

type Options = { eventCallback: (event: PaddleEventData) => void };

// Replaces Paddle's own package, which loads its script from Paddle's hosts.
const { initialize, open } = vi.hoisted(() => ({
  initialize: vi.fn<(options: Options) => unknown>(),
  open: vi.fn<(options: unknown) => void>(),
}));
vi.mock("@paddle/paddle-js", () => ({ initializePaddle: async (options: Options) => initialize(options) }));
afterEach(() => vi.resetAllMocks());

const prepared = (transactionId: string | null): Prepared => ({
  code: "PAYMENT_PREPARE_ACCEPTED",
  message: "",
  token: "the-token",
  subscriptionId: "pri_pro",
  checkout: {
    provider: "paddle",
    purpose: transactionId ? "settle" : "subscribe",
    email: "ada@example.com",
    dueCents: null,
    paddle: { clientToken: "test_client", environment: "sandbox", transactionId },
  },
});

test("a failed payment is opened by its transaction, which already has its token", async () => {
  initialize.mockReturnValue({ Checkout: { open } });
  await openPaddleCheckout(prepared("txn_open"), () => {});
  expect(open).toHaveBeenCalledExactlyOnceWith({
    transactionId: "txn_open",
    customer: { email: "ada@example.com" },
    settings: { displayMode: "overlay" },
  });
});

test("closing reports once per checkout whether it was paid", async () => {
  initialize.mockReturnValue({ Checkout: { open } });
  const paidResults: boolean[] = [];
  const sendEvent = (name: string) => {
    initialize.mock.lastCall?.[0].eventCallback({ name } as unknown as PaddleEventData);
  };
  await openPaddleCheckout(prepared(null), (isPaid) => paidResults.push(isPaid));
  for (const name of ["checkout.loaded", "checkout.payment.failed", "checkout.closed"]) sendEvent(name);
  await openPaddleCheckout(prepared(null), (isPaid) => paidResults.push(isPaid));
  for (const name of ["checkout.loaded", "checkout.completed", "checkout.closed"]) sendEvent(name);
  expect(paidResults).toEqual([false, true]);
});

test("a Paddle script that does not load is reported in a sentence", async () => {
  initialize.mockImplementation(() => {
    throw new Error("Failed to load Paddle.js - v1");
  });
  await expect(openPaddleCheckout(prepared(null), () => {})).rejects.toThrow(
    "We couldn’t load Paddle’s checkout. Nothing was charged. Reload the page and try again.",
  );
  expect(open).not.toHaveBeenCalled();
});
