import { Link } from "react-router";
import { CallError } from "#web/api/call.ts";

/** Shows the server's message for a rejected call; for a plan limit, it links to the plans. */
export function CallProblem({ error, otherwise }: { error: Error | null; otherwise: string }) {
  if (!error) return null;
  const isLimit = error instanceof CallError && error.code === "PLAN_LIMIT_REACHED";
  return (
    <p role="alert" className="mt-4 rounded-control bg-removed-bg px-3 py-2 text-sm text-removed">
      {error.message || otherwise}{" "}
      {isLimit && (
        <Link to="/dashboard?view=billing" className="font-medium underline underline-offset-2">
          See the plans
        </Link>
      )}
    </p>
  );
}
