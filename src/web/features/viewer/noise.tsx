import type { Comparison } from "./queries.ts";
import { BeforeAfter, Section } from "./verdict-view.tsx";

type Ignored = Comparison["ignored"][number];

const words: Record<string, string> = {
  token: "a token or session id",
  time: "a time or date",
  counter: "a counter",
  "asset-version": "the version of an asset",
  build: "a build id",
  consent: "a consent banner",
  widget: "a widget of another site",
  advertisement: "an advertisement",
  tracking: "tracking",
  rotation: "content that rotates",
  visitor: "made for each visitor",
  order: "only the order differs",
  hidden: "not visible",
  markup: "markup without effect",
  learned: "learned: this place changes by itself",
  alternating: "learned: goes back and forth",
  rule: "your ignore rule",
};

const shown = 20;

/** What differed and did not count, with the reason. */
export function Noise({ ignored }: { ignored: Ignored[]; jobId: string }) {
  if (ignored.length === 0) return null;
  return (
    <Section title="Ignored as noise" note={ignored.length}>
      <ul className="grid gap-2.5">
        {ignored.slice(0, shown).map((difference, i) => (
          <li key={i} className="grid gap-1">
            <p className="text-xs text-muted">{words[difference.why] ?? difference.why}</p>
            <BeforeAfter where={difference.place} before={difference.before} after={difference.after} />
          </li>
        ))}
        {ignored.length > shown && <li className="text-xs text-muted">and {ignored.length - shown} more</li>}
      </ul>
    </Section>
  );
}
