import { type DayLine, type DayStatement, hashText, type Statement } from "../seal-format.ts";
import { type InstallationKey, isSignedBy } from "./check-keys.ts";
import { type Findings, quoteText } from "./findings.ts";
import { hasOnlyKeys, isTime, parseExactJson } from "./read-json.ts";
import { readStamp } from "./read-stamp.ts";

/** Something outside an export that vouches for a chain up to a place. */
export type Witness = {
  place: number;
  by: string;
  /** When it saw what it vouches for, in words. */
  when: string;
};
/** The place up to which a day that holds vouches, by the day's fingerprint. */
type DayPlaces = Map<string, number>;
export type CheckedDays = {
  places: DayPlaces;
  /** The furthest place that each authority vouches for, by the SHA-256 of its certificate. */
  stamps: Map<string, Witness>;
  sent: Map<string, number>;
  /** The days that can be read, in the order of the file. */
  days: { line: DayLine; day: DayStatement }[];
};

const dayLineKeys = ["day", "statement", "hash", "stamp", "signature", "sent"];
const dayStatementKeys = ["watchglass", "day", "taken", "previous", "heads", "key"];
/** Clocks of several machines differ, and an import may take long. */
export const clockMs = 3_600_000;
/** An authority may be out of reach for a day or two. */
const lateStampMs = 3 * 86_400_000;

function readDay(line: DayLine | undefined): DayStatement | undefined {
  if (!hasOnlyKeys(line, dayLineKeys) || typeof line.statement !== "string") return undefined;
  const { stamp, signature } = line;
  if (![stamp, signature].every((text) => (text ?? null) === null || typeof text === "string"))
    return undefined;
  const isSentList = line.sent === undefined || (Array.isArray(line.sent) && line.sent.every(isTarget));
  const day = isSentList ? parseExactJson<DayStatement>(line.statement) : undefined;
  return hasOnlyKeys(day, dayStatementKeys) &&
    /^day [12]$/.test(String(day.watchglass)) &&
    /^\d{4}-\d\d-\d\d$/.test(String(day.day)) &&
    Array.isArray(day.heads) &&
    isTime(day.taken)
    ? (day as DayStatement)
    : undefined;
}

const isTarget = (target: unknown) => /^(mail|webhook|bucket)$/.test(String(target));

/** What the daily fingerprints are checked against. */
type Chain = {
  leaves: Map<string, number>;
  /** By place, as far as they are kept. */
  statements: Map<number, Statement>;
  keys: InstallationKey[];
};

/** Checks the daily fingerprints that vouch for a chain, and the time stamps that vouch for them. */
export function checkDays(lines: (DayLine | undefined)[], chain: Chain, findings: Findings): CheckedDays {
  const { flag, notes } = findings;
  const checked: CheckedDays = { places: new Map(), stamps: new Map(), sent: new Map(), days: [] };
  const held: { day: DayStatement; place: number }[] = [];
  let previous: Day | undefined;
  let vouched = 0;
  for (const line of lines) {
    const day = readDay(line);
    if (!line || !day) {
      flag("altered", "A line of chain/days.jsonl cannot be read.");
      continue;
    }
    checked.days.push({ line, day });
    const place = checkDay({ line, day }, previous, vouched, chain, findings);
    if (place !== undefined) {
      checked.places.set(line.hash, place);
      vouched = Math.max(vouched, place);
      held.push({ day, place });
    }
    for (const target of line.sent ?? []) checked.sent.set(target, (checked.sent.get(target) ?? 0) + 1);
    if (line.stamp) {
      const stamp = readStamp(Buffer.from(line.stamp, "base64"), line.hash);
      const newest = place === undefined ? undefined : newestUpTo(place, chain);
      if ("problem" in stamp) flag("altered", `The time stamp of ${line.day} isn't valid: ${stamp.problem}`);
      else if (newest && Date.parse(newest.sealed) > Date.parse(stamp.at) + clockMs)
        flag(
          "altered",
          `The time stamp of ${line.day} isn't valid: it is older than execution ${newest.number}, which the day covers.`,
        );
      else {
        if (place !== undefined && place > (checked.stamps.get(stamp.certificate)?.place ?? 0))
          checked.stamps.set(stamp.certificate, {
            place,
            by: `the time stamp of ${quoteText(stamp.authority)}`,
            when: `on ${stamp.at.slice(0, 10)}`,
          });
        const isLate = Date.parse(stamp.at) > Date.parse(day.taken) + lateStampMs;
        notes.push(
          `${line.day}: fingerprint ${line.hash}, stamped ${stamp.at} by ${quoteText(stamp.authority)} (certificate ${stamp.certificate}).${isLate ? " That is long after the day: the stamp doesn't show that anything existed before." : ""}`,
        );
      }
    } else notes.push(`${line.day}: fingerprint ${line.hash}, no time stamp.`);
    previous = { line, day };
  }
  flagOlderExecutions(held, chain, findings);
  // Anyone can make a certificate with the name of an authority, so several are told apart.
  if (checked.stamps.size > 1)
    for (const [certificate, witness] of checked.stamps) witness.by += ` (certificate ${certificate})`;
  return checked;
}

/** The execution that was sealed last of those up to a place, as far as they are kept. */
function newestUpTo(place: number, { statements }: Chain): Statement | undefined {
  let newest: Statement | undefined;
  for (const [at, statement] of statements)
    if (at <= place && (!newest || statement.sealed > newest.sealed)) newest = statement;
  return newest;
}

/** An execution that was sealed before a day was taken is covered by it, so one that isn't was added afterwards. */
function flagOlderExecutions(
  held: { day: DayStatement; place: number }[],
  { statements }: Chain,
  { flag }: Findings,
): void {
  for (const [at, statement] of statements) {
    const missed = held.find(({ day, place }) => place < at && isSealedBefore(statement, day))?.day;
    if (missed) flag("altered", sayUncovered(statement, missed));
  }
}

export const sayUncovered = ({ number }: Statement, { day }: DayStatement) =>
  `Execution ${number} says that it was sealed before the daily fingerprint of ${day}, which does not cover it.`;

/** Not true of an import, which may take hours: its executions are sealed as of its beginning. */
export const isSealedBefore = ({ imported, sealed }: Statement, { taken }: DayStatement) =>
  !imported && Date.parse(sealed) < Date.parse(taken) - clockMs;

type Day = { line: DayLine; day: DayStatement };

/** Returns the place up to which a day vouches, if it holds. */
function checkDay(
  { line, day }: Day,
  previous: Day | undefined,
  vouched: number,
  chain: Chain,
  { flag }: Findings,
): number | undefined {
  const { leaves, keys } = chain;
  const name = `The daily fingerprint of ${line.day}`;
  if (hashText(line.statement) !== line.hash || day.day !== line.day) {
    flag("altered", `${name} was altered.`);
    return undefined;
  }
  if (previous && (day.previous !== previous.line.hash || day.day <= previous.day.day)) {
    flag(
      "altered",
      `${name} does not follow that of ${previous.day.day}: a day in between was removed or altered.`,
    );
    return undefined;
  }
  // It is made just after midnight, so nobody can give it the date of another day.
  if (new Date(Date.parse(day.taken) - 86_400_000).toISOString().slice(0, 10) !== day.day) {
    flag("altered", `${name} was made on ${day.taken.slice(0, 10)}, which is not the day after.`);
    return undefined;
  }
  if (previous && day.watchglass < previous.day.watchglass) {
    flag("altered", `${name} is of an older version than that of ${previous.day.day}.`);
    return undefined;
  }
  const places = day.heads.flatMap((head) => leaves.get(head) ?? []);
  const [place] = places;
  if (place === undefined || places.length > 1) {
    flag("altered", `${name} belongs to another chain.`);
    return undefined;
  }
  const sealed = newestUpTo(place, chain)?.sealed;
  const problem = day.watchglass === "day 2" ? problemOfSignature(line, day, keys) : undefined;
  if (place < vouched) flag("altered", `${name} covers less than the one before it.`);
  else if (sealed && Date.parse(sealed) > Date.parse(day.taken) + clockMs)
    flag("altered", `${name} covers position ${place}, which was sealed later.`);
  else if (problem) flag("altered", `${name} ${problem}.`);
  else return place;
  return undefined;
}

function problemOfSignature(line: DayLine, day: DayStatement, keys: InstallationKey[]): string | undefined {
  const signer = keys.find(({ fingerprint }) => fingerprint === day.key);
  if (!signer || !isSignedBy(signer.key, line.statement, String(line.signature)))
    return "is not signed by a key of this installation";
  const taken = Date.parse(day.taken);
  const next = keys[keys.indexOf(signer) + 1];
  if (Date.parse(signer.since) > taken + clockMs)
    return `is signed by key ${signer.number}, which was created later`;
  return next && Date.parse(next.since) < taken - clockMs
    ? `is signed by key ${signer.number}, which key ${next.number} had replaced by then`
    : undefined;
}
