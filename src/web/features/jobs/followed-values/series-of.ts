import type { ReplyOf } from "#web/api/call.ts";

type Point = ReplyOf<"GET /api/jobs/:jobId/values">["points"][number];

/** One followed value over time. */
export type Series = {
  name: string;
  points: { id: string; at: number; text: string | null; number: number | null; isNew: boolean }[];
  now: { text: string | null; number: number | null } | undefined;
  /** With the text, because it has the currency and the decimals of the page. */
  least: { number: number; text: string } | undefined;
  most: { number: number; text: string } | undefined;
  /** Number of checks that did not find the value. */
  missing: number;
};

/** Collects what each check read for a value, and marks where it differs from the check before. */
export function seriesOf(name: string, all: Point[]): Series {
  const readings = all.flatMap(({ id, createdAt, values }) => {
    const value = values[name];
    return value ? [{ id, at: Date.parse(createdAt), ...value }] : [];
  });
  const points = readings.map((point, at) => ({
    ...point,
    isNew: at > 0 && (readings[at - 1]?.number !== point.number || readings[at - 1]?.text !== point.text),
  }));
  const numbers = points.flatMap(({ number, text }) =>
    number === null ? [] : [{ number, text: text ?? String(number) }],
  );
  const byNumber = numbers.toSorted((a, b) => a.number - b.number);
  return {
    name,
    points,
    now: points.at(-1),
    least: byNumber[0],
    most: byNumber.at(-1),
    missing: points.filter(({ text }) => text === null).length,
  };
}
