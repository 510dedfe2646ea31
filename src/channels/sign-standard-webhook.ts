import { Webhook } from "standardwebhooks";

/** The three headers of Standard Webhooks, which receivers can verify with existing libraries. */
export function signStandardWebhook(secret: string, id: string, body: string, at: Date): [string, string][] {
  // Older secrets are in base64url, which libraries refuse; Node reads both alphabets.
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64url");
  return [
    ["webhook-id", id],
    ["webhook-timestamp", String(Math.floor(at.getTime() / 1000))],
    ["webhook-signature", new Webhook(key, { format: "raw" }).sign(id, at, body)],
  ];
}
