import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call, type ReplyOf } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Select } from "#web/ui/select.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { Time } from "#web/ui/time/time.tsx";

type FeedAddress = ReplyOf<"GET /api/feeds">["feeds"][number];

const key = ["feeds"];
const names = { atom: "Atom", rss: "RSS", json: "JSON" } as const;

function useFeedAction<T = void>(act: (input: T) => Promise<{ message: string }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message || "We couldn’t reach the server. Nothing was changed."),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
}

/** Feeds of changes, each under a secret URL. */
export function Feeds() {
  const [withoutAlert, setWithoutAlert] = useState(false);
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call("GET /api/feeds", undefined, { signal }),
  });
  return (
    <Card
      title="Feeds"
      note="Read your changes in a feed reader. Anyone with a feed’s address can read it, so renew an address that leaked."
    >
      {list.isPending && <Skeleton className="m-4 h-14" />}
      {list.isError && (
        <Failed title="We couldn’t load the feeds" action="Try again" onAction={() => void list.refetch()}>
          {list.error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {list.data?.feeds.length === 0 && (
        <Empty icon="timeline" title="No feeds yet">
          Choose below what a feed should include.
        </Empty>
      )}
      {list.data && list.data.feeds.length > 0 && (
        <>
          <div className="border-b border-line px-4 py-3">
            <Switch
              label="Show changes without an alert, too"
              hint="The addresses below then also list the changes that a job’s conditions held back, marked “No alert”."
              checked={withoutAlert}
              onChange={setWithoutAlert}
            />
          </div>
          <ul>
            {list.data.feeds.map((feed) => (
              <Row key={feed.id} feed={feed} withoutAlert={withoutAlert} />
            ))}
          </ul>
        </>
      )}
      {list.data && <NewFeed />}
    </Card>
  );
}

function Row({ feed, withoutAlert }: { feed: FeedAddress; withoutAlert: boolean }) {
  const urlOf = (format: keyof typeof names) =>
    `${feed.urls[format]}${withoutAlert ? "?withoutAlert=true" : ""}`;
  const params = { feedId: feed.id };
  const renew = useFeedAction(() => call("POST /api/feeds/:feedId/renew", { params }));
  const remove = useFeedAction(() => call("DELETE /api/feeds/:feedId", { params }));
  const what = feed.jobId ? "job" : feed.groupId ? "group" : "account";
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <p className="font-medium wrap-anywhere">{feed.title}</p>
        <p className="text-sm text-muted">
          {what} · address since <Time at={feed.since} />
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {(["atom", "rss", "json"] as const).map((format) => (
          <span key={format} className="flex items-center text-sm">
            <a href={urlOf(format)} className="underline underline-offset-2">
              {names[format]}
            </a>
            <CopyButton value={urlOf(format)} label={`Copy the ${names[format]} address of ${feed.title}`} />
          </span>
        ))}
        <Button size="sm" busy={renew.isPending} onClick={() => renew.mutate()}>
          Renew<span className="sr-only"> the address of {feed.title}</span>
        </Button>
        <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove<span className="sr-only"> the feed {feed.title}</span>
        </Button>
      </div>
    </li>
  );
}

function NewFeed() {
  const [target, setTarget] = useState("");
  const jobs = useQuery({
    queryKey: ["job-lines"],
    queryFn: ({ signal }) => call("GET /api/jobs", {}, { signal }),
  });
  const groups = useQuery({
    queryKey: ["groups"],
    queryFn: ({ signal }) => call("GET /api/jobs/groups", undefined, { signal }),
  });
  const create = useFeedAction(() => {
    const [kind, id = ""] = target.split(":");
    const body = kind === "job" ? { jobId: id } : kind === "group" ? { groupId: id } : {};
    return call("POST /api/feeds", { body });
  });
  const options = [
    { value: "", label: "All jobs" },
    ...(groups.data ?? []).map(({ id, name }) => ({ value: `group:${id}`, label: `Group: ${name}` })),
    ...(jobs.data?.jobs ?? []).map(({ id, name, group }) => ({
      value: `job:${id}`,
      label: `${group} / ${name}`,
    })),
  ];
  return (
    <div className="flex flex-wrap items-end gap-2 p-4">
      <Select
        label="New feed for"
        value={target}
        onChange={setTarget}
        options={options}
        className="min-w-48 flex-1"
      />
      <Button look="primary" busy={create.isPending} onClick={() => create.mutate()}>
        Create feed
      </Button>
    </div>
  );
}
