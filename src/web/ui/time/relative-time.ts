const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "2 min ago", "in 3 h"; beyond a week the local date. */
export function relativeTime(time: number, now: number): string {
  const distance = Math.abs(now - time);
  if (distance >= 7 * day) {
    return new Date(time).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
  }
  const past = time <= now;
  if (distance < minute) return past ? "just now" : "in under a minute";
  // Future times are rounded, so that something just scheduled in seven days does not show as six.
  const count = (unit: number) => (past ? Math.floor : Math.round)(distance / unit);
  const words =
    count(minute) < 60 ? `${count(minute)} min` : count(hour) < 24 ? `${count(hour)} h` : `${count(day)} d`;
  return past ? `${words} ago` : `in ${words}`;
}

/** The local date and time to the minute, where there is no room for more. */
export function shortTime(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** The exact local time, with its zone. */
export function exactTime(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" });
}
