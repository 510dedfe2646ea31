import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
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
  style: "how it is drawn",
  transport: "how it was sent",
  learned: "learned: this place changes by itself",
  alternating: "learned: goes back and forth",
  rule: "your ignore rule",
};

const shown = 20;

type NoiseProps = { ignored: Ignored[]; jobId: string; onRules: () => void };

/** What differed and did not count, with the reason; each can be told of again. */
export function Noise({ ignored, jobId, onRules }: NoiseProps) {
  const client = useQueryClient();
  const { data: noise } = useQuery({
    queryKey: ["noise", jobId],
    enabled: ignored.some(canUndo),
    queryFn: ({ signal }) => call("GET /api/jobs/:jobId/noise", { params: { jobId } }, { signal }),
  });
  const unlearn = useMutation({
    mutationFn: (place: string) =>
      call("POST /api/jobs/:jobId/noise/unlearn", { params: { jobId }, body: { place } }),
    onSuccess: async ({ message }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ["noise", jobId] }),
        client.invalidateQueries({ queryKey: ["compare", jobId] }),
      ]);
      toast.success(message);
    },
    onError: (error) => toast.error(error.message || "It could not be undone."),
  });
  if (ignored.length === 0) return null;
  return (
    <Section title="Ignored as noise" note={ignored.length}>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
        {ignored.slice(0, shown).map((difference, i) => (
          <li key={i} className="grid grid-cols-[minmax(0,1fr)] gap-1">
            <p className="flex items-baseline gap-2 text-xs text-muted">
              <span className="flex-1">{words[difference.why] ?? difference.why}</span>
              {difference.why === "rule" && (
                <button type="button" title="Change your ignore rules" onClick={onRules} className={link}>
                  Edit rules
                </button>
              )}
              {canUndo(difference) &&
                (noise?.kept.includes(difference.place) ? (
                  <span>undone</span>
                ) : (
                  <button
                    type="button"
                    title="Tell me of changes here again"
                    onClick={() => unlearn.mutate(difference.place)}
                    className={link}
                  >
                    Undo
                  </button>
                ))}
            </p>
            <BeforeAfter where={difference.place} before={difference.before} after={difference.after} />
          </li>
        ))}
        {ignored.length > shown && <li className="text-xs text-muted">and {ignored.length - shown} more</li>}
      </ul>
    </Section>
  );
}

const link = "rounded-sm font-medium text-accent-text underline underline-offset-2";

/** Where only the order or the markup differs there is nothing to tell of. */
function canUndo({ why, place }: Ignored): boolean {
  return place !== "" && why !== "order" && why !== "markup" && why !== "rule";
}
