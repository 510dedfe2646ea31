import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type JobFields, linesOf } from "../job-form/fields.ts";
import { usePreview } from "../preview/use-preview.ts";
import { cover } from "../rules/source.ts";

const pauseMs = 300;

/**
 * What the values of the form read from the job's newest capture or its preview, requested when typing pauses.
 * `preview` takes one for a job that doesn't exist yet.
 */
export function usePreviewedValues(fields: JobFields, jobId: string | undefined) {
  const preview = usePreview(fields);
  const { ready } = preview;
  const source = jobId ? { jobId } : ready && { previewId: ready.id };
  const typed = JSON.stringify({
    selector: fields.selector,
    ignore: linesOf(fields.ignore),
    values: fields.values.map(({ by, rule }) => ({ by, rule })),
  });
  const [requested, setRequested] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setRequested(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useQuery({
    queryKey: ["previewed-values", source, requested],
    enabled: source !== undefined && fields.values.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
    queryFn: ({ signal }) => (source ? cover(source, JSON.parse(requested), signal) : null),
  });
  // Until the response arrives, the previous one would appear at the wrong rows.
  return { previewed: requested === typed ? data : undefined, preview: jobId ? undefined : preview };
}
