import type { Deps } from "./deps.ts";
import { openNoProvider } from "./providers/none.ts";
import type { PaddleConfig } from "./providers/paddle.ts";
import { openSandbox } from "./providers/sandbox.ts";

export type { PaddleConfig };

/** Paddle where its keys are given; else the built-in sandbox where it may sell plans for nothing; else nobody. */
export async function openBilling({
  paddle,
  isSandbox,
  sandboxSecret,
  ...rest
}: Omit<Deps, "provider"> & {
  paddle: PaddleConfig | undefined;
  isSandbox: boolean;
  sandboxSecret: string;
}): Promise<Deps> {
  if (paddle) {
    const { openPaddle } = await import("./providers/paddle.ts");
    return { ...rest, provider: openPaddle(paddle) };
  }
  return { ...rest, provider: isSandbox ? openSandbox(sandboxSecret) : openNoProvider(sandboxSecret) };
}
