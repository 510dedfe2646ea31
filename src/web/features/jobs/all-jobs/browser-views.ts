import type { NewSavedView } from "#contract/saved-view.ts";

const keyOf = (accountId: string) => `watchglass-views-${accountId}`;

/**
 * The views that an earlier version kept in this browser instead of in the account. Whatever else is stored there is
 * ignored.
 */
export function readBrowserViews(accountId: string): NewSavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(accountId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is NewSavedView {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    "query" in value &&
    typeof value.name === "string" &&
    typeof value.query === "string"
  );
}

export function forgetBrowserViews(accountId: string): void {
  try {
    localStorage.removeItem(keyOf(accountId));
  } catch {
    // The browser refuses its storage, so it holds no views either.
  }
}
