import { createHmac } from "node:crypto";

/** `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>`, so that neither can be changed or replayed later. */
export function signTrigger(secret: string, body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
}
