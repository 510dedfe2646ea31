import { useQuery } from "@tanstack/react-query";
import { isNotFound } from "#web/api/call.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { CodeView, type CodeViewProps } from "./code-view.tsx";
import { useDiff } from "./use-diff.ts";

/** Where a capture's HTML comes from. */
export type HtmlSource = { key: string; label: string; load: (signal: AbortSignal) => Promise<string> };

type HtmlPaneProps = Omit<CodeViewProps, "diff" | "elements" | "isCompared" | "labels"> & {
  before: HtmlSource | null;
  after: HtmlSource;
  formatted: boolean;
};

const forever = Number.POSITIVE_INFINITY;

function useHtml(source: HtmlSource | null) {
  return useQuery({
    queryKey: ["html", source?.key],
    enabled: source !== null,
    staleTime: forever,
    queryFn: ({ signal }) => source?.load(signal) ?? "",
  });
}

/** The HTML of one capture, or what differs between two. */
export function HtmlPane({ before, after, formatted, ...view }: HtmlPaneProps) {
  const old = useHtml(before);
  const fresh = useHtml(after);
  const isReady = fresh.data !== undefined && (before === null || old.data !== undefined);
  const { diff, elements } =
    useDiff(
      isReady && fresh.data !== undefined
        ? { before: before ? (old.data ?? "") : null, after: fresh.data, formatted }
        : undefined,
      view.regions.length > 0,
    ) ?? {};
  const error = fresh.error ?? old.error;
  if (isNotFound(fresh.error) || isNotFound(old.error)) {
    return (
      <Empty icon="clock" title="This capture is no longer here" className="flex-1 content-center">
        {isNotFound(fresh.error) ? after.label : before?.label} was deleted when its storage period ended.
      </Empty>
    );
  }
  if (error || diff === "failed") {
    return (
      <Failed
        title="We couldn’t show the HTML"
        className="flex-1 content-center"
        action="Try again"
        onAction={() => void Promise.all([fresh.refetch(), before ? old.refetch() : undefined])}
      >
        {error?.message || "The capture is kept; only its display failed."}
      </Failed>
    );
  }
  if (!diff) return <Skeleton className="m-4 flex-1" />;
  if (before && diff.hunks.length === 0 && view.filter) {
    return (
      <Empty icon="check" title="The HTML is identical" className="flex-1 content-center">
        Nothing differs between the two captures. Turn off the filter to read it.
      </Empty>
    );
  }
  return (
    <CodeView
      {...view}
      diff={diff}
      elements={elements}
      isCompared={before !== null}
      labels={{ before: before?.label ?? "", after: after.label }}
    />
  );
}
