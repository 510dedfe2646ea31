import { openSigningKey, rotateSigningKey } from "#evidence/signing-key.ts";
import { withProduct } from "./open-product.ts";

export async function rotateKey(): Promise<boolean> {
  return withProduct(async ({ evidence }) => {
    const old = await openSigningKey(evidence);
    const { number, fingerprint } = await rotateSigningKey(evidence);
    console.log(`Key ${number} signs from now on: ${fingerprint}`);
    console.log(`Key ${old.number}, ${old.fingerprint}, endorsed it and can no longer sign.`);
    return true;
  });
}
