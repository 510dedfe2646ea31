import { useMutation, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import type { OftenAnswer } from "#contract/job.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import type { Detail } from "./queries.ts";
import { Section } from "./verdict-view.tsx";

const choices: { answer: OftenAnswer; label: string; hint: string }[] = [
  { answer: "keepTelling", label: "Keep telling me", hint: "At once, each time it changes" },
  { answer: "daily", label: "Once a day", hint: "In the notifications, and as one message a day" },
  { answer: "noise", label: "This is noise", hint: "Listed with each check, never told" },
];

/** What to do about a place that keeps changing: asked where the change is shown. */
export function Often({ detail }: { detail: Detail }) {
  const client = useQueryClient();
  const answer = useMutation({
    mutationFn: (chosen: OftenAnswer) =>
      call("POST /api/jobs/:jobId/executions/:executionId/often", {
        params: { jobId: detail.jobId, executionId: detail.id },
        body: { answer: chosen },
      }),
    onSuccess: async ({ message }) => {
      await client.invalidateQueries({ queryKey: ["noise", detail.jobId] });
      toast.success(message);
    },
    onError: (error) => toast.error(error.message || "It could not be kept."),
  });
  const places = detail.verdict?.often ?? [];
  if (places.length === 0) return null;
  const times = Math.max(...places.map((place) => place.times));
  const folded = places.every((place) => place.folded);
  return (
    <Section title="Keeps changing">
      <p className="text-sm">
        {places.length === 1 ? "A place" : `${places.length} places`} of this change differed at {times} of
        the last 5 checks.{" "}
        {folded
          ? "It stands outside the main content, so it comes once a day."
          : "What would you like to hear of it?"}
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
