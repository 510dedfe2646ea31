import { AppError } from "#contract/errors.ts";
import type { PageStep } from "#contract/page-steps.ts";

/** Refuses steps that lead to an address that the network guard would block. */
export async function assertPageSteps(
  { refuseTarget }: { refuseTarget: (url: string) => Promise<string | null> },
  steps: PageStep[] | null | undefined,
  setting = "pageSteps",
): Promise<void> {
  for (const [at, step] of (steps ?? []).entries()) {
    if (step.type !== "navigate") continue;
    const field = `${setting}.${at}.url`;
    const { username, password } = URL.parse(step.url) ?? {};
    if (username || password)
      throw new AppError("INVALID_INPUT", "The URL contains a user name or a password. Remove them.", {
        field,
      });
    const reason = await refuseTarget(step.url);
    if (reason) throw new AppError("TARGET_NOT_ALLOWED", reason, { field });
  }
}
