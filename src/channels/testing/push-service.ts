import { createECDH, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { answer, listen, type Received } from "./listen.ts";

const encryption = createRequire(import.meta.url)("http_ece") as {
  decrypt: (body: Buffer, options: object) => Buffer;
};

/** Answers like a push service: 201, and 410 for a browser that has unsubscribed. */
export async function startPushService() {
  const received: Received[] = [];
  const unsubscribedPaths = new Set<string>();
  const service = await listen((request, response) => {
    received.push(request);
    if (unsubscribedPaths.has(request.path)) return answer(response, 410, "");
    const isValid = request.headers["content-encoding"] === "aes128gcm" && request.headers.ttl !== undefined;
    answer(response, isValid ? 201 : 400, "");
  });

  /** A browser with its own keys and a subscription at this service. */
  function browser(path: string) {
    const ecdh = createECDH("prime256v1");
    ecdh.generateKeys();
    const auth = randomBytes(16);
    return {
      subscription: {
        endpoint: `${service.url}${path}`,
        keys: { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") },
        label: `Firefox ${path}`,
      },
      decrypt: (body: Buffer) =>
        JSON.parse(
          encryption.decrypt(body, { version: "aes128gcm", privateKey: ecdh, authSecret: auth }).toString(),
        ),
    };
  }
  return { ...service, received, unsubscribedPaths, browser };
}
