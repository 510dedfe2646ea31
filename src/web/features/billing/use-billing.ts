import { useQuery, useQueryClient } from "@tanstack/react-query";
import { call, type ReplyOf } from "#web/api/call.ts";
import { type Me, meKey } from "#web/api/me.ts";

export type PlanOffer = ReplyOf<"GET /api/payment/plans">[number];
export type Invoice = ReplyOf<"GET /api/payment/billing">[number];
export type BillingState = ReplyOf<"GET /api/payment/subscription">;
export type Prepared = ReplyOf<"GET /api/payment/prepare/:planId">;

const key = ["billing"];
const stateKey = [...key, "state"];

export const usePlans = () =>
  useQuery({
    queryKey: [...key, "plans"],
    queryFn: ({ signal }) => call("GET /api/payment/plans", undefined, { signal }),
  });

export const useInvoices = () =>
  useQuery({
    queryKey: [...key, "invoices"],
    queryFn: ({ signal }) => call("GET /api/payment/billing", undefined, { signal }),
  });

export const useBillingState = () =>
  useQuery({
    queryKey: stateKey,
    queryFn: ({ signal }) => call("GET /api/payment/subscription", undefined, { signal }),
  });

/** Returns a function that reloads everything that a payment can change. */
export function useRefreshBilling(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: key }),
      client.invalidateQueries({ queryKey: meKey }),
    ]);
  };
}

const attempts = 20;

/** Polls for about 30 s until a change has arrived: payments take effect through the provider's webhook. */
export function useAwaitBillingChange(): (
  hasArrived: (me?: Me, state?: BillingState) => boolean,
) => Promise<void> {
  const client = useQueryClient();
  const refresh = useRefreshBilling();
  return async (hasArrived) => {
    for (let i = 0; i < attempts; i++) {
      await refresh();
      const state = client.getQueryData<BillingState>(stateKey);
      if (hasArrived(client.getQueryData<Me>(meKey), state)) return;
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
  };
}
