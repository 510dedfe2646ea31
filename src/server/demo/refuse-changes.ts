import { AppError } from "#contract/errors.ts";
import type { Route } from "#contract/route.ts";

/** Visitors share the demo account: they may look at everything, but leave nothing behind for each other. */
export function refuseDemoChanges(
  { demoAccountId }: { demoAccountId?: string },
  route: Pick<Route, "method" | "demo">,
  accountId: string,
): void {
  if (accountId === demoAccountId && route.method !== "GET" && !route.demo)
    throw new AppError("DEMO_READ_ONLY");
}
