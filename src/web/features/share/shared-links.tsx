import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call, type ReplyOf } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Time } from "#web/ui/time/time.tsx";

type Share = ReplyOf<"GET /api/share">["shares"][number];

/** All valid links of the account, each with a button to revoke it. */
export function SharedLinks({ onRevoked }: { onRevoked: (id: string) => void }) {
  const { data, error } = useQuery({
    queryKey: ["shares"],
    queryFn: ({ signal }) => call("GET /api/share", undefined, { signal }),
  });
  if (error) return <p className="mt-5 text-sm text-removed">We couldn’t load your links.</p>;
  if (!data || data.shares.length === 0) return null;
  return (
    <section className="mt-5 grid gap-2">
      <h3 className="text-sm">Your links</h3>
      <ul className="max-h-56 overflow-y-auto rounded-control border border-line" tabIndex={-1}>
        {data.shares.map((share) => (
          <Link key={share.id} share={share} onRevoked={onRevoked} />
        ))}
      </ul>
    </section>
  );
}

function Link({ share, onRevoked }: { share: Share; onRevoked: (id: string) => void }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call("DELETE /api/share/:token", { params: { token: share.id } }),
    onSuccess: async ({ message }) => {
      onRevoked(share.id);
      await client.invalidateQueries({ queryKey: ["shares"] });
      toast.success(message);
    },
    onError: (error) => toast.error(error.message || "We couldn’t revoke the link. It still works."),
  });
  const pair = share.fromIndex === null ? `#${share.index}` : `#${share.fromIndex} → #${share.index}`;
  return (
    <li className="flex items-center gap-3 border-b border-line px-3 py-2 last:border-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate" title={share.jobName}>
          {share.jobName} <span className="figures font-mono text-xs text-muted">{pair}</span>
        </span>
        <span className="text-sm text-muted">
          made <Time at={share.createdAt} />, ends <Time at={share.expiresAt} />
        </span>
      </span>
      <Button size="sm" busy={revoke.isPending} onClick={() => revoke.mutate()}>
        Revoke
        <span className="sr-only">
          {" "}
          the link to {share.jobName} {pair}
        </span>
      </Button>
    </li>
  );
}
