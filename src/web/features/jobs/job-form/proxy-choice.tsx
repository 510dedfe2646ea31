import { useQuery } from "@tanstack/react-query";
import { call, type ReplyOf } from "#web/api/call.ts";
import { Select } from "#web/ui/select.tsx";
import type { JobFields, Problems } from "./fields.ts";

type PageProxy = ReplyOf<"GET /api/proxies">["proxies"][number];

// The contract says this too, but its schemas do not ship to the browser.
const direct = "direct";
const maximum = 3;

type ProxyChoiceProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  /** The proxies that the job inherits from its group. */
  inherited?: string[] | null | undefined;
};

/** Selects the proxy that a job's requests go through, and what is used if it is down. */
export function ProxyChoice({ fields, problems, put, inherited = null }: ProxyChoiceProps) {
  const list = useQuery({
    queryKey: ["proxies"],
    queryFn: ({ signal }) => call("GET /api/proxies", undefined, { signal }),
  });
  const known = list.data?.proxies ?? [];
  const { proxies: chosen } = fields;
  const isLast = (id: string | undefined) => id === undefined || id === direct;
  const shown = isLast(chosen.at(-1)) ? chosen.length : Math.min(chosen.length + 1, maximum);
  const choose = (at: number, id: string) =>
    put({ proxies: id === "" ? chosen.slice(0, at) : endAtDirect([...chosen.slice(0, at), id]) });
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {Array.from({ length: Math.max(shown, 1) }, (_, at) => (
          <Select
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position in the order.
            key={at}
            label={at === 0 ? "Requests go through" : at === 1 ? "If it is down" : "If that is down too"}
            value={chosen[at] ?? ""}
            onChange={(id) => choose(at, id)}
            options={[
              { value: "", label: at === 0 ? unset(inherited, known) : "The check fails" },
              ...(at > 0 || inherited || chosen[0] === direct
                ? [{ value: direct, label: "Direct connection" }]
                : []),
              ...optionsFor(known, chosen, at),
            ]}
          />
        ))}
      </div>
      {problems.proxies && <p className="text-sm text-removed">{problems.proxies}</p>}
      {list.isError && (
        <p className="text-sm text-removed">We couldn’t load your proxies: {list.error.message}</p>
      )}
      <p className="text-sm text-muted">
        {list.data && known.length === 0
          ? "With a proxy, sites see its address and not the server’s. Add one in your profile."
          : "A proxy that is down is never taken for a site that is down. Sites may show another page to another address."}
      </p>
    </div>
  );
}

const endAtDirect = (ids: string[]) =>
  ids.slice(0, ids.includes(direct) ? ids.indexOf(direct) + 1 : undefined);

function optionsFor(known: PageProxy[], chosen: string[], at: number) {
  const others = chosen.filter((_, other) => other < at);
  const options = known
    .filter(({ id }) => !others.includes(id))
    .map(({ id, name, problem }) => ({ value: id, label: problem ? `${name} (down)` : name }));
  const current = chosen[at];
  const isUnknown = current && current !== direct && !known.some(({ id }) => id === current);
  return isUnknown ? [...options, { value: current, label: "A proxy that doesn’t exist any more" }] : options;
}

function unset(inherited: string[] | null, known: PageProxy[]): string {
  if (!inherited?.length) return "Direct connection";
  return `Group default: ${inherited.map((id) => nameOf(id, known)).join(", then ")}`;
}

const nameOf = (id: string, known: PageProxy[]) =>
  id === direct ? "direct connection" : (known.find((proxy) => proxy.id === id)?.name ?? "a proxy");

/** Summarizes which proxies are used, in a few words. */
export function proxiesNote(
  { proxies }: Pick<JobFields, "proxies">,
  inherited: string[] | null = null,
): string {
  if (proxies.length === 0 && inherited?.length) return "group default";
  const count = proxies.filter((id) => id !== direct).length;
  if (count === 0) return "direct";
  return count === 1 ? "one proxy" : `${count} proxies`;
}
