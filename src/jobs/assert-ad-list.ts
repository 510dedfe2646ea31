import type { BrowserSettings } from "#contract/browser-settings.ts";
import { AppError } from "#contract/errors.ts";
import type { Deps } from "./deps.ts";

/** Refuses to leave out ads where nobody has said which hosts those are. */
export function assertAdList({ hasAdList }: Pick<Deps, "hasAdList">, browser?: BrowserSettings | null): void {
  if (!hasAdList && browser?.block?.includes("ads"))
    throw new AppError(
      "INVALID_INPUT",
      "This server has no list of ads. Whoever runs it can supply one with AD_LIST.",
      { field: "browser.block" },
    );
}
