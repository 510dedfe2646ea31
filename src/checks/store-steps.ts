import type { TakenStep } from "#capture/capture-page.ts";
import { storeBytes } from "#storage/contents.ts";
import type { StoredStep } from "#storage/job-tables.ts";
import type { Deps } from "./deps.ts";

/** Stores the pictures of the steps before a capture; equal pictures of several checks are stored once. */
export function storeSteps(
  deps: Pick<Deps, "db" | "blobs">,
  accountId: string,
  steps: TakenStep[],
): Promise<StoredStep[]> {
  return Promise.all(
    steps.map(async ({ picture, ...step }) => {
      const hash = picture && (await storeBytes(deps, accountId, picture));
      return { ...step, picture: hash?.toString("hex") ?? null };
    }),
  );
}
