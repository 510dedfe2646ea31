import type { Provider } from "../deps.ts";

const refused = {
  ok: false,
  failure: { kind: "unavailable", message: "No payments are taken here; the operator sets plans." },
} as const;

/** Takes no money and gives nothing for it. */
export function openNoProvider(webhookSecret: string): Provider {
  const refuse = async () => refused;
  // What another provider once sold is no longer charged for: there is nothing to end.
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
