import { useMutation } from "@tanstack/react-query";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { type JobFields, toJobInput } from "../fields.ts";

/** Fires the trigger as entered in the form, with example values, and shows the response. */
export function TestTrigger({ fields, jobId }: { fields: JobFields; jobId: string | undefined }) {
  const test = useMutation({
    mutationFn: () => {
      const { trigger, values } = toJobInput(fields);
      if (!trigger) throw new Error("The trigger has no URL yet.");
      const names = values?.map(({ name }) => name) ?? [];
      return call("POST /api/triggers/test", {
        body: { trigger, values: names, ...(jobId ? { jobId } : {}) },
      });
    },
  });
  const { data, error } = test;
  return (
    <div className="grid gap-2">
      <Button
        size="sm"
        className="justify-self-start"
        busy={test.isPending}
        disabled={fields.triggerUrl.trim() === ""}
        onClick={() => test.mutate()}
      >
        Test trigger
      </Button>
      <div aria-live="polite" className="grid gap-2 text-sm">
        {error && <p className="text-removed">{error.message || "We couldn’t reach the server."}</p>}
        {data && (
          <p className={data.error ? "text-removed" : undefined}>
            {data.response
              ? `Answered ${data.response.status} in ${data.durationMs} ms with example values.`
              : data.error}
          </p>
        )}
        {data?.response?.body && (
          <pre className="max-h-40 overflow-auto rounded-control bg-sunken p-2 font-mono text-xs break-all whitespace-pre-wrap">
            {data.response.body.slice(0, 4000)}
          </pre>
        )}
      </div>
    </div>
  );
}
