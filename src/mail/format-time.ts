const moment = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** "November 18, 2026 at 8:05 AM UTC": mails are read in any time zone. */
export const formatMoment = (at: Date) => `${moment.format(at)} UTC`;

/** "November 18, 2026", in UTC. */
export const formatDay = (at: Date) => day.format(at);
