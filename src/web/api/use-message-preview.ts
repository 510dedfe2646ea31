import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ChannelId } from "#channels/channel-list.ts";
import type { MessagePreview, Template } from "#contract/template.ts";
import { call } from "./call.ts";

type Draft = Pick<Template, "title" | "text" | "format"> & { jobId?: string };

/** The server's preview of a draft, requested when typing pauses; the last valid preview stays. */
export function useMessagePreview(channel: ChannelId, draft: Draft, enabled = true) {
  const [settled, setSettled] = useState(draft);
  const { title, text, format, jobId } = draft;
  useEffect(() => {
    const next = { title, text, ...(format && { format }), ...(jobId && { jobId }) };
    const timer = setTimeout(() => setSettled(next), 400);
    return () => clearTimeout(timer);
  }, [title, text, format, jobId]);
  const [last, setLast] = useState<MessagePreview>();
  const { data, error } = useQuery({
    queryKey: ["template-preview", channel, settled],
    queryFn: ({ signal }) =>
      call(
        "POST /api/me/channels/:channel/template/preview",
        { params: { channel }, body: settled },
        { signal },
      ),
    retry: false,
    enabled,
    gcTime: 0,
  });
  if (data && data !== last) setLast(data);
  return { data: data ?? last, error };
}
