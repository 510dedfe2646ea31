import type { Deps } from "./deps.ts";
import { openNoProvider } from "./providers/none.ts";
import type { PaddleConfig } from "./providers/paddle.ts";
import { openSandbox } from "./providers/sandbox.ts";

export type { PaddleConfig };

/** Opens Paddle if its keys are set, else the built-in sandbox if it may sell plans for free, else no provider. */
export async function openBilling({
  paddle,
  isSandbox,
  sandboxSecret,
  ...deps
}: Omit<Deps, "provider"> & {
  paddle: PaddleConfig | undefined;
  isSandbox: boolean;
  sandboxSecret: string;
}): Promise<Deps> {
  if (paddle) {
    const { openPaddle } = await import("./providers/paddle.ts");
    return { ...deps, provider: openPaddle(paddle) };
  }
  return { ...deps, provider: isSandbox ? openSandbox(sandboxSecret) : openNoProvider(sandboxSecret) };
}
