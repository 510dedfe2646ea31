import type { Provider } from "../deps.ts";

const refused = {
  ok: false,
  failure: { kind: "unavailable", message: "No payments are taken here; the operator sets plans." },
} as const;

/** The provider of an installation without payments: it refuses them all. */
export function openNoProvider(webhookSecret: string): Provider {
  const refuse = async () => refused;
  // Subscriptions sold by an earlier provider are no longer charged, so there is nothing to end.
  const end = async () => ({ ok: true, value: undefined }) as const;
  return {
    name: "none",
    webhookSecret,
    prepare: refuse,
    change: refuse,
    cancel: refuse,
    resume: refuse,
    end,
  };
}
