import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { scopes } from "#accounts/api-key-scopes.ts";
import { call, type ReplyOf } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

type ApiKey = ReplyOf<"GET /api/keys">["keys"][number];

const key = ["api-keys"];

/** Creates, lists and revokes the API keys that programs use. */
export function ApiKeys() {
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call("GET /api/keys", undefined, { signal }),
  });
  return (
    <Card
      title="API keys"
      aside={
        <Button size="sm" icon="plus" onClick={() => setAdding(true)}>
          New key
        </Button>
      }
      note={
        <>
          For scripts, the <code className="font-mono">watchglass</code> command line and agents.{" "}
          <a href="/api/docs" className="underline underline-offset-2">
            API documentation
          </a>
        </>
      }
    >
      {list.isPending && <Skeleton className="m-4 h-14" />}
      {list.isError && (
        <Failed title="We couldn’t load the keys" action="Try again" onAction={() => void list.refetch()}>
          {list.error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {list.data?.keys.length === 0 && (
        <Empty icon="link" title="No keys yet">
          A key lets a program use the API for you, within the scope you choose.
        </Empty>
      )}
      {list.data && list.data.keys.length > 0 && (
        <ul>
          {list.data.keys.map((one) => (
            <Row key={one.id} apiKey={one} />
          ))}
        </ul>
      )}
      {adding && (
        <NewKeyDialog
          onMade={() => void client.invalidateQueries({ queryKey: key })}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  );
}

function Row({ apiKey }: { apiKey: ApiKey }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call("DELETE /api/keys/:keyId", { params: { keyId: apiKey.id } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message || "We couldn’t revoke the key. It still works."),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
  const { name, scope, hint, createdAt, expiresAt, expired, lastUsedAt } = apiKey;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-0">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <p className="font-medium wrap-anywhere">
          {name} <span className="font-mono text-sm font-normal text-muted">{hint}…</span>
        </p>
        <p className="text-sm text-muted">
          <span title={scopes[scope]}>{scope}</span> · created <Time at={createdAt} /> ·{" "}
          {lastUsedAt ? (
            <>
              last used <Time at={lastUsedAt} />
            </>
          ) : (
            "never used"
          )}{" "}
          ·{" "}
          {expiresAt ? (
            <span className={expired ? "text-removed" : undefined}>
              {expired ? "ended" : "ends"} <Time at={expiresAt} />
            </span>
          ) : (
            "never expires"
          )}
        </p>
      </div>
      <Button size="sm" busy={revoke.isPending} onClick={() => revoke.mutate()}>
        Revoke<span className="sr-only"> the key {name}</span>
      </Button>
    </li>
  );
}
