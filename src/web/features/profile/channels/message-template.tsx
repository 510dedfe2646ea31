import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import toast from "react-hot-toast";
import { type ChannelId, channels, isPlain } from "#channels/channel-list.ts";
import type { MessagePreview } from "#contract/template.ts";
import { messagePlaceholders } from "#message-templates/placeholders.ts";
import { CallError, call, type ReplyOf } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { Time } from "#web/ui/time/time.tsx";

type Template = NonNullable<ReplyOf<"GET /api/me/templates">["templates"][ChannelId]>;

const key = ["templates"];
const formats = [
  { value: "json", label: "JSON" },
  { value: "form", label: "Form" },
  { value: "text", label: "Plain text" },
];

/** Opens the editor for a channel's message template. */
export function MessageButton({ channel }: { channel: ChannelId }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        onClick={() => setOpen(true)}
        aria-label={`Message by ${channels[channel].name}`}
        aria-haspopup="dialog"
      >
        Message
      </Button>
      {isOpen && <MessageDialog channel={channel} onClose={() => setOpen(false)} />}
    </>
  );
}

function MessageDialog({ channel, onClose }: { channel: ChannelId; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call("GET /api/me/templates", undefined, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  if (data) return <Editor channel={channel} stored={data.templates[channel]} onClose={onClose} />;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={titleOf(channel)}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {error ? (
        <Failed title="We couldn’t load the message" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      ) : (
        <Skeleton className="h-64" />
      )}
    </Dialog>
  );
}

const titleOf = (channel: ChannelId) => `Message by ${channels[channel].name}`;

const formatHint = (channel: ChannelId) =>
  isPlain(channel)
    ? "It shows plain text: **bold** and `code` lose their marks, what went is [-so-] and what came {+so+}."
    : "**bold**, ~~struck~~ and `code` are read; what pages say is only text.";

type EditorProps = { channel: ChannelId; stored: Template | undefined; onClose: () => void };

function Editor({ channel, stored, onClose }: EditorProps) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Template>(stored ?? { title: "", text: "" });
  const preview = usePreview(channel, draft);
  const save = useMutation({
    mutationFn: () => call("PUT /api/me/channels/:channel/template", { params: { channel }, body: draft }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await client.invalidateQueries({ queryKey: key });
      onClose();
    },
  });
  const put = (part: Partial<Template>) => {
    setDraft({ ...draft, ...part });
    save.reset();
  };
  const problem = save.error ?? preview.error;
  const at = problem instanceof CallError ? problem.field : undefined;
  const sentence = problem ? problem.message || "We couldn’t reach the server." : undefined;
  const isWebhook = channel === "webhook";
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={titleOf(channel)}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form="message" look="primary" busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="message"
        noValidate
        className="mt-2 grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {isWebhook ? (
          <Select
            label="Sent as"
            value={draft.format ?? "json"}
            onChange={(format) => put({ format: format as Template["format"] })}
            options={formats}
          />
        ) : (
          <Field
            label={channel === "email" ? "Subject" : "Title"}
            mono
            placeholder={channel === "email" ? "{{title}}: {{message}}" : "{{title}}"}
            value={draft.title}
            onChange={(event) => put({ title: event.target.value })}
            error={at === "title" ? sentence : undefined}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <TextArea
          label={isWebhook ? "Body" : "Text"}
          mono
          rows={5}
          placeholder={
            isWebhook
              ? '{"text": "{{title}}: {{message}}", "link": "{{link}}"}'
              : "{{message}}\n{{words}}\n{{link}}"
          }
          value={draft.text}
          onChange={(event) => put({ text: event.target.value })}
          error={at === "title" ? undefined : sentence}
          hint={
            isWebhook
              ? "Leave empty to send all fields."
              : `Leave empty for the default text. ${formatHint(channel)}`
          }
          spellCheck={false}
        />
        <details>
          <summary className="w-fit rounded-sm text-sm font-medium">Placeholders</summary>
          <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
            {Object.entries(messagePlaceholders).map(([name, meaning]) => (
              <div key={name} className="contents">
                <dt className="font-mono">{`{{${name}}}`}</dt>
                <dd className="text-muted">{meaning}</dd>
              </div>
            ))}
          </dl>
        </details>
        {(preview.data || !preview.error) && <Preview preview={preview.data} isWebhook={isWebhook} />}
      </form>
    </Dialog>
  );
}

/** The server's preview of a draft, requested when typing pauses; the last valid preview stays. */
function usePreview(channel: ChannelId, draft: Template) {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), 400);
    return () => clearTimeout(timer);
  }, [draft]);
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
    gcTime: 0,
  });
  if (data && data !== last) setLast(data);
  return { data: data ?? last, error };
}

const looks: Record<NonNullable<MessagePreview["lines"][number][number]["look"]>, string> = {
  bold: "font-semibold",
  struck: "line-through",
  code: "font-mono text-sm",
  removed: "text-removed line-through",
  added: "text-added font-semibold",
};

function Preview({ preview, isWebhook }: { preview: MessagePreview | undefined; isWebhook: boolean }) {
  if (!preview) return <Skeleton className="h-32" />;
  const { of, title, lines } = preview;
  return (
    <section aria-label="Preview" className="grid grid-cols-1 gap-1.5">
      <p className="text-sm font-medium">Preview</p>
      <div className="max-h-72 overflow-y-auto rounded-control border border-line bg-sunken p-3 wrap-anywhere">
        {title && <p className="font-semibold">{title}</p>}
        <div className={cx("whitespace-pre-wrap", isWebhook && "font-mono text-sm")}>
          {lines.map((line, at) => (
            // A preview is always rendered as a whole, and its lines have no id.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <p key={at} className="min-h-5">
              {line.map((run, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <span key={position} className={run.look && looks[run.look]}>
                  {run.text}
                </span>
              ))}
            </p>
          ))}
        </div>
      </div>
      <p className="text-sm text-muted">
        {of ? (
          <>
            Your newest change, <Time at={of.at} />.
          </>
        ) : (
          "You have no changes yet, so this is an example."
        )}
      </p>
    </section>
  );
}
