import { useMutation, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import type { FrequentChangeAnswer } from "#contract/job.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import type { Detail } from "../queries.ts";
import { Section } from "./verdict-view.tsx";

const choices: { answer: FrequentChangeAnswer; label: string; hint: string }[] = [
  { answer: "keepTelling", label: "Keep alerting me", hint: "Immediately, every time it changes" },
  { answer: "daily", label: "Daily digest", hint: "In your notifications, and in one message a day" },
  { answer: "noise", label: "This is noise", hint: "Listed with each check, never alerted" },
];

/** Asks what to do about a location that changes often, where the change is shown. */
export function Often({ detail }: { detail: Detail }) {
  const client = useQueryClient();
  const answer = useMutation({
    mutationFn: (chosen: FrequentChangeAnswer) =>
      call("POST /api/jobs/:jobId/executions/:executionId/often", {
        params: { jobId: detail.jobId, executionId: detail.id },
        body: { answer: chosen },
      }),
    onSuccess: async ({ message }) => {
      await client.invalidateQueries({ queryKey: ["noise", detail.jobId] });
      toast.success(message);
    },
    onError: (error) => toast.error(error.message || "We couldn’t save your answer."),
  });
  const places = detail.verdict?.often ?? [];
  if (places.length === 0) return null;
  const times = Math.max(...places.map((place) => place.times));
  const alternating = places.find((place) => place.alternates)?.alternates;
  const isDigestOnly = places.every((place) => place.folded);
  return (
    <Section title="Changes often">
      <p className="text-sm">
        {places.length === 1 ? "Part" : `${places.length} parts`} of this change differed in {times} of the
        last 5 checks.{" "}
        {alternating
          ? `It alternates between ${alternating.versions} versions: ${alternating.times} times in the last 10 checks. Until you choose, repeats go to the daily digest. `
          : null}
        {isDigestOnly && !alternating
          ? "It’s outside the main content, so you get it in the daily digest."
          : "How should we alert you?"}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        {choices.map(({ answer: chosen, label, hint }) => (
          <Button
            key={chosen}
            look="secondary"
            size="sm"
            title={hint}
            busy={answer.isPending}
            onClick={() => answer.mutate(chosen)}
          >
            {label}
          </Button>
        ))}
      </div>
    </Section>
  );
}
