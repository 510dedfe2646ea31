import type { ReactNode } from "react";
import { type Noise, useNoise, useNoiseFeedback } from "#web/api/noise.ts";
import { Button } from "#web/ui/button.tsx";
import { Time } from "#web/ui/time/time.tsx";

type Lesson = Noise["learned"][number];

/** Everything a job has learned about its noise, and the user's feedback on it; each entry can be undone. */
export function Learned({ jobId }: { jobId: string }) {
  const { data, error, refetch } = useNoise(jobId);
  const feedback = useNoiseFeedback(jobId);
  const undo = (label: string, onClick: () => void) => (
    <Button size="sm" look="ghost" aria-disabled={feedback.isPending} onClick={onClick}>
      {label}
    </Button>
  );
  const lessons = data ? data.learned.length + data.kept.length + data.answers.length : 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {error ? (
        <p className="flex items-center gap-2 text-sm text-muted">
          We couldn’t load this.
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : !data ? (
        <p className="text-sm text-muted">Loading…</p>
      ) : lessons === 0 ? (
        <p className="text-sm text-muted">
          Nothing yet. Parts that differ between two captures of the same moment, and parts you mark as noise,
          are listed here.
        </p>
      ) : (
        <ul className="grid max-h-80 grid-cols-[minmax(0,1fr)] gap-2 overflow-y-auto text-sm">
          {data.learned.map((one) => (
            <Entry key={`${one.id} ${one.place}`} {...one} what={reasonOf(one)} samples={one.samples}>
              {one.why === "said"
                ? undo("Undo", () =>
                    feedback.mutate({ say: "back", ...(one.id ? { id: one.id } : { place: one.place }) }),
                  )
                : undo("Alert me about this", () => feedback.mutate({ say: "tell", place: one.place }))}
            </Entry>
          ))}
          {data.answers.map(({ place, since, answer }) => (
            <Entry
              key={`answer ${place}`}
              place={place}
              since={since}
              what={answer === "daily" ? "You get it in the daily digest" : "You’re alerted every time"}
            >
              {undo("Undo", () => feedback.mutate({ say: "back", place }))}
            </Entry>
          ))}
          {data.kept.map(({ place, since }) => (
            <Entry key={`kept ${place}`} place={place} since={since} what="You asked for alerts about it">
              {undo("Undo", () => feedback.mutate({ say: "back", place }))}
            </Entry>
          ))}
        </ul>
      )}
    </div>
  );
}

function reasonOf({ why, times }: Lesson): string {
  if (why === "said") return "You marked it as noise";
  return times > 1 ? `Changes by itself, seen ${times} times` : "Changes by itself";
}

type EntryProps = {
  place: string;
  since: string | null;
  what: string;
  samples?: string[];
  children: ReactNode;
};

function Entry({ place, since, what, samples = [], children }: EntryProps) {
  // Samples are cut to their first characters, so different texts may look alike: each is shown once.
  const texts = [...new Set(samples)];
  return (
    <li className="flex items-start gap-2">
      <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)]">
        <span>
          {what}
          {since && (
            <span className="text-muted">
              , since <Time at={since} />
            </span>
          )}
        </span>
        {texts.length > 0 && (
          <span className="truncate" title={texts.join(" → ")} dir="auto">
            {texts.map((sample) => `“${sample}”`).join(" → ")}
          </span>
        )}
        <span className="truncate font-mono text-xs text-muted" title={place}>
          {place}
        </span>
      </span>
      {children}
    </li>
  );
}
