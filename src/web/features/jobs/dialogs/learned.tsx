import type { ReactNode } from "react";
import { type Noise, useNoise, useNoiseWord } from "#web/api/noise.ts";
import { Button } from "#web/ui/button.tsx";
import { Time } from "#web/ui/time.tsx";

type Lesson = Noise["learned"][number];

/** All that a job learned of its noise and all that its user said of it, each to be undone. */
export function Learned({ jobId }: { jobId: string }) {
  const { data, error, refetch } = useNoise(jobId);
  const word = useNoiseWord(jobId);
  const undo = (label: string, onClick: () => void) => (
    <Button size="sm" look="ghost" aria-disabled={word.isPending} onClick={onClick}>
      {label}
    </Button>
  );
  const lessons = data ? data.learned.length + data.kept.length + data.answers.length : 0;
  return (
    <section className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line pt-4">
      <h3 className="text-sm font-medium">What was learned</h3>
      {error ? (
        <p className="flex items-center gap-2 text-sm text-muted">
          It could not be loaded.
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : !data ? (
        <p className="text-sm text-muted">Loading …</p>
      ) : lessons === 0 ? (
        <p className="text-sm text-muted">
          Nothing yet. What differs between two captures of one moment, and what you call noise, is listed
          here.
        </p>
      ) : (
        <ul className="grid max-h-80 grid-cols-[minmax(0,1fr)] gap-2 overflow-y-auto text-sm">
          {data.learned.map((one) => (
            <Entry key={`${one.id} ${one.place}`} {...one} what={reasonOf(one)} samples={one.samples}>
              {one.why === "said"
                ? undo("Undo", () =>
                    word.mutate({ say: "back", ...(one.id ? { id: one.id } : { place: one.place }) }),
                  )
                : undo("Tell me of this", () => word.mutate({ say: "tell", place: one.place }))}
            </Entry>
          ))}
          {data.answers.map(({ place, since, answer }) => (
            <Entry
              key={`answer ${place}`}
              place={place}
              since={since}
              what={answer === "daily" ? "You want it once a day" : "You want it at once, each time"}
            >
              {undo("Undo", () => word.mutate({ say: "back", place }))}
            </Entry>
          ))}
          {data.kept.map(({ place, since }) => (
            <Entry key={`kept ${place}`} place={place} since={since} what="You want to be told of it">
              {undo("Undo", () => word.mutate({ say: "back", place }))}
            </Entry>
          ))}
        </ul>
      )}
    </section>
  );
}

function reasonOf({ why, times }: Lesson): string {
  if (why === "said") return "You called it noise";
  return times > 1 ? `It changes by itself, seen ${times} times` : "It changes by itself";
}

type EntryProps = {
  place: string;
  since: string | null;
  what: string;
  samples?: string[];
  children: ReactNode;
};

function Entry({ place, since, what, samples = [], children }: EntryProps) {
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
        {samples.length > 0 && (
          <span className="truncate" title={samples.join(" → ")} dir="auto">
            {samples.map((sample) => `“${sample}”`).join(" → ")}
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
