import type { ReactNode } from "react";
import { Time } from "#web/ui/time/time.tsx";

type LinkedProps = { title: string; since: string; failure: string | null; children: ReactNode };

/** A channel that is set up: since when, whether it works, and its actions. */
export function Linked({ title, since, failure, children }: LinkedProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control border border-line p-3">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <p className="font-medium break-words">{title}</p>
        <p className="text-sm text-muted">
          Since <Time at={since} />
        </p>
        {failure && <output className="block text-sm text-removed">{failure}</output>}
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}
