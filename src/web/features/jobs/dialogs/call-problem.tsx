import { Link } from "react-router";
import { ApiError } from "#web/api/call.ts";

/** Why a call was refused, in the server's words; a limit leads to the plans. */
export function CallProblem({ error, otherwise }: { error: Error | null; otherwise: string }) {
  if (!error) return null;
  const isLimit = error instanceof ApiError && error.code === "PLAN_LIMIT_REACHED";
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
