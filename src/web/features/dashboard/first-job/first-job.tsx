import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toPageUrl } from "#contract/page-url.ts";
import { call, type ReplyOf } from "#web/api/call.ts";
import { thumbnail } from "#web/api/images.ts";
import { usePlainHttp } from "#web/api/plain-http.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { PlainHttpQuestion } from "#web/ui/plain-http-question.tsx";
import { Thumbnail } from "#web/ui/thumbnail.tsx";
import { jobUrl } from "#web/ui/urls/job-url.ts";
import { nameOfPage } from "./name-of-page.ts";

type Job = ReplyOf<"GET /api/jobs/:jobId">;

/** Creates the first job in one step: takes a URL, creates a group and a job, and shows the first screenshot. */
export function FirstJob({ onStarted }: { onStarted: () => void }) {
  const [job, setJob] = useState<Job>();
  return (
    <section
      aria-labelledby="first-job"
      className="grid justify-items-center gap-4 rounded-card border border-line bg-surface px-5 py-10"
    >
      <div className="grid max-w-md justify-items-center gap-1 text-center">
        <Icon name="eye" className="size-5 text-quiet" />
        <h2 id="first-job" className="mt-2 text-base">
          {job ? `Watching ${job.name}` : "You’re not watching any pages yet"}
        </h2>
        {!job && (
          <p className="text-sm text-balance text-muted">
            Enter a page. Watchglass checks it now and then every hour, and alerts you when it changes.
          </p>
        )}
      </div>
      {job ? (
        <FirstCapture job={job} />
      ) : (
        <AddressForm
          onMade={(created) => {
            setJob(created);
            onStarted();
          }}
        />
      )}
    </section>
  );
}

/** Creates the job in the first existing group, or in a new group if there is none. */
async function createFirstJob(address: string): Promise<Job> {
  const url = toPageUrl(address);
  const [group] = await call("GET /api/jobs/groups");
  const { id: groupId } = group ?? (await call("POST /api/jobs/groups", { body: { name: "My pages" } }));
  const body = { name: nameOfPage(url), url, frequency: 60, groupId };
  return (await call("POST /api/jobs/create", { body })).job;
}

function AddressForm({ onMade }: { onMade: (job: Job) => void }) {
  const [address, setAddress] = useState("");
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: createFirstJob,
    onSuccess: async (created) => {
      onMade(created);
      await client.invalidateQueries({ queryKey: ["analytics"] });
    },
  });
  return (
    <form
      noValidate
      className="flex w-full max-w-md flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!start.isPending) start.mutate(address);
      }}
    >
      <Field
        label="Page to watch"
        type="url"
        placeholder="https://example.com/login"
        value={address}
        error={start.error ? start.error.message || "We couldn’t reach the server." : undefined}
        onChange={(event) => setAddress(event.target.value)}
        className="flex-[1_1_14rem]"
      />
      <Button type="submit" look="primary" busy={start.isPending} className="mt-6.5">
        Watch it
      </Button>
    </form>
  );
}

function FirstCapture({ job }: { job: Job }) {
  const { data = job } = useQuery<Job>({
    queryKey: ["job", job.id],
    refetchInterval: ({ state }) => (state.data?.executions.length ? false : 1000),
    queryFn: ({ signal }) => call("GET /api/jobs/:jobId", { params: { jobId: job.id } }, { signal }),
  });
  const plainHttp = usePlainHttp(data);
  const [first] = data.executions;
  const target = { jobId: job.id, groupId: job.groupId, executionId: first?.id };
  if (!first) {
    return (
      <output className="flex items-center gap-2 text-sm text-accent-text">
        <Icon name="refresh" className="animate-work" />
        The first check takes a few seconds
      </output>
    );
  }
  return (
    <>
      {first.hasImage && (
        <Thumbnail
          src={thumbnail(job.id, first.id)}
          alt={`How ${job.name} looks now`}
          className="h-48 w-72 max-w-full rounded-sm border border-line bg-sunken"
        />
      )}
      <output className="text-sm text-balance text-muted">
        {first.error ?? "This is how it looks now. The next check is in an hour."}
      </output>
      <PlainHttpQuestion {...plainHttp} />
      <ButtonLink to={jobUrl(target)} look="primary">
        {first.error ? "Open the job" : "View full size"}
      </ButtonLink>
    </>
  );
}
