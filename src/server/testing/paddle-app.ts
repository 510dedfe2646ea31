import { type PaddleStandIn, startPaddleStandIn } from "#billing/testing/paddle-stand-in.ts";
import { startTestApp, type TestApp } from "./test-app.ts";

/** Starts the product with Paddle as its payment provider; a stand-in on loopback plays Paddle. */
export async function startPaddleApp(
  webhookSecret: string,
  apiKey = "pdl_key",
): Promise<{ paddle: PaddleStandIn; t: TestApp; close: () => Promise<void> }> {
  const paddle = await startPaddleStandIn();
  const t = await startTestApp({
    PADDLE_API_KEY: apiKey,
    PADDLE_CLIENT_TOKEN: "test_client",
    PADDLE_WEBHOOK_SECRET: webhookSecret,
    PADDLE_ENVIRONMENT: paddle.url,
  });
  return {
    paddle,
    t,
    async close() {
      await t.close();
      await paddle.close();
    },
  };
}
