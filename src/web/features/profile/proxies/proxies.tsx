import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";
import type { PageProxy } from "./proxy.ts";
import { ProxyDialog } from "./proxy-dialog.tsx";

const key = ["proxies"];

/** Adds, lists, tests, changes and deletes the proxies that jobs may use. */
export function Proxies() {
  const client = useQueryClient();
  const [edited, setEdited] = useState<PageProxy | "new">();
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call("GET /api/proxies", undefined, { signal }),
  });
  return (
    <Card
      title="Proxies"
      aside={
        list.data && (
          <Button size="sm" icon="plus" onClick={() => setEdited("new")}>
            New proxy
          </Button>
        )
      }
      note="Proxies that your jobs can use, so that sites see another address. Choose one in a job’s or group’s settings."
    >
      {list.isPending && <Skeleton className="m-4 h-14" />}
      {list.isError && (
        <Failed title="We couldn’t load the proxies" action="Try again" onAction={() => void list.refetch()}>
          {list.error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {list.data?.proxies.length === 0 && (
        <Empty icon="link" title="No proxies yet">
          With an HTTP, HTTPS or SOCKS5 proxy of yours, a job can watch a page as it is shown in another
          country.
        </Empty>
      )}
      {list.data && list.data.proxies.length > 0 && (
        <ul>
          {list.data.proxies.map((proxy) => (
            <Row key={proxy.id} proxy={proxy} onEdit={() => setEdited(proxy)} />
          ))}
        </ul>
      )}
      {edited && list.data && (
        <ProxyDialog
          proxy={edited === "new" ? null : edited}
          mayLookUpNames={list.data.mayLookUpNames}
          hasEchoUrl={list.data.hasEchoUrl}
          onSaved={() => void client.invalidateQueries({ queryKey: key })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Card>
  );
}

function Row({ proxy, onEdit }: { proxy: PageProxy; onEdit: () => void }) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: key });
  const params = { proxyId: proxy.id };
  const test = useMutation({
    mutationFn: () => call("POST /api/proxies/:proxyId/test", { params }),
    onSuccess: ({ message, proxy: tested }) => (tested.problem ? toast.error : toast.success)(message),
    onError: (error) => toast.error(error.message || "We couldn’t test the proxy."),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: () => call("DELETE /api/proxies/:proxyId", { params }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message || "We couldn’t delete the proxy."),
    onSettled,
  });
  const { name, isShared } = proxy;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-0">
      <div className="grid min-w-48 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
        <p className="font-medium wrap-anywhere">
          {name}{" "}
          <span className="font-mono text-sm font-normal wrap-anywhere text-muted">{addressOf(proxy)}</span>
        </p>
        <Health proxy={proxy} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
          Test<span className="sr-only"> the proxy {name}</span>
        </Button>
        {!isShared && (
          <>
            <Button size="sm" onClick={onEdit}>
              Edit<span className="sr-only"> the proxy {name}</span>
            </Button>
            <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete<span className="sr-only"> the proxy {name}</span>
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

function Health({ proxy }: { proxy: PageProxy }) {
  const { problem, failedAt, lastSuccessAt, latencyMs, address, jobs, groups } = proxy;
  const users = [jobs > 0 && countOf(jobs, "job"), groups > 0 && countOf(groups, "group")].filter(Boolean);
  const used = `used by ${users.join(" and ") || "no job"}`;
  return (
    <>
      {problem && (
        <p className="text-sm text-removed">
          {problem}
          {failedAt && (
            <>
              {" · "}
              <Time at={failedAt} />
            </>
          )}
        </p>
      )}
      <p className="text-sm text-muted">
        {lastSuccessAt ? (
          <>
            worked <Time at={lastSuccessAt} />
            {latencyMs !== null && ` · ${latencyMs} ms`}
          </>
        ) : (
          "not used yet"
        )}
        {address && (
          <>
            {" · seen as "}
            <span className="font-mono wrap-anywhere">{address}</span>
          </>
        )}{" "}
        · {used}
      </p>
    </>
  );
}

function addressOf({ protocol, host, port, username, isShared }: PageProxy): string {
  if (isShared || host === null) return `${protocol}, by the operator`;
  const user = username ? `${username}@` : "";
  return `${protocol}://${user}${host.includes(":") ? `[${host}]` : host}:${port}`;
}
