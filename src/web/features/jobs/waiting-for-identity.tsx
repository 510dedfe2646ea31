import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { identitiesPath } from "#contract/links.ts";
import { call } from "#web/api/call.ts";
import type { Job } from "./queries.ts";

// The contract says this too, but its schemas do not ship to the browser.
const none = "none";

/** Says that a job isn't checked because the identity it is captured as is signed out. */
export function WaitingForIdentity({ job }: { job: Pick<Job, "identity" | "inherited" | "url"> }) {
  const id = job.identity ?? job.inherited?.identity ?? none;
  const list = useQuery({
    queryKey: ["identities"],
    queryFn: ({ signal }) => call("GET /api/identities", undefined, { signal }),
    enabled: id !== none,
  });
  const identity = list.data?.identities.find((each) => each.id === id);
  const isOfSite = job.identity !== null || identity?.origins.includes(URL.parse(job.url)?.origin ?? "");
  if (identity?.state !== "signed-out" || !isOfSite) return null;
  return (
    <p className="rounded-control bg-changed-bg px-3 py-2 text-sm text-changed">
      <strong className="font-medium">Waiting</strong>: the identity “{identity.name}” is signed out.{" "}
      {identity.problem}{" "}
      <Link to={identitiesPath} className="font-medium underline underline-offset-2">
        Sign in again
      </Link>
    </p>
  );
}
