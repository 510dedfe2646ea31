/** The text of the badge; the server counts only up to 100. */
export function badgeText(unread: number): string {
  return unread > 99 ? "99+" : String(unread);
}
