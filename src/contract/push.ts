import { z } from "zod";

const key = (bytes: number) =>
  z
    .string()
    .regex(/^[\w-]+={0,2}$/, "The browser’s key isn’t valid.")
    .refine(
      (text) => Math.floor((text.replace(/={1,2}$/, "").length * 6) / 8) === bytes,
      "The browser’s key isn’t valid.",
    );

/** The subscription that a browser's PushManager returns, with the user's label for that browser. */
export const NewPushSubscription = z.object({
  endpoint: z.string().min(1).max(1000),
  keys: z.object({ p256dh: key(65), auth: key(16) }),
  label: z.string().trim().min(1).max(60).default("Browser"),
});
export type NewPushSubscription = z.infer<typeof NewPushSubscription>;
export const PushEndpoint = z.object({ endpoint: z.string().min(1).max(1000) });
export const PushKey = z.object({ publicKey: z.string().describe("Public key for PushManager.subscribe") });
