export type SavedView = { name: string; query: string };

const keyOf = (account: string) => `watchglass-views-${account}`;

/** The views that this browser holds for an account. Whatever else is stored there is ignored. */
export function readViews(account: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(account)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

/** Browsers may refuse to store anything; then the views last until the page is left. */
export function writeViews(account: string, views: SavedView[]): void {
  try {
    localStorage.setItem(keyOf(account), JSON.stringify(views));
  } catch {
    // The view is still shown.
  }
}

function isView(value: unknown): value is SavedView {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    "query" in value &&
    typeof value.name === "string" &&
    typeof value.query === "string"
  );
}
