import type { Deps } from "./deps.ts";
import { openNoProvider } from "./providers/none.ts";
import { openPaddle, type PaddleConfig } from "./providers/paddle.ts";
import { openSandbox } from "./providers/sandbox.ts";

export type { PaddleConfig };

/** Paddle where its keys are given; else the built-in sandbox where it may sell plans for nothing; else nobody. */
export function openBilling({
  paddle,
  isSandbox,
  sandboxSecret,
  ...rest
}: Omit<Deps, "provider"> & {
  paddle: PaddleConfig | undefined;
  isSandbox: boolean;
  sandboxSecret: string;
}): Deps {
  const provider = isSandbox ? openSandbox(sandboxSecret) : openNoProvider(sandboxSecret);
  return { ...rest, provider: paddle ? openPaddle(paddle) : provider };
}
