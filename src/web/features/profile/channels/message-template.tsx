import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { type ChannelId, channels, isPlain } from "#channels/channel-list.ts";
import { CallError, call, type ReplyOf } from "#web/api/call.ts";
import { useMessagePreview } from "#web/api/use-message-preview.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Preview } from "#web/ui/messages/message-preview.tsx";
import { PlaceholderList } from "#web/ui/messages/placeholder-list.tsx";
import { Select } from "#web/ui/select.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { TextArea } from "#web/ui/text-area.tsx";

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
    : "**bold**, ~~struck~~ and `code` work; what a page says is only text.";

type EditorProps = { channel: ChannelId; stored: Template | undefined; onClose: () => void };

function Editor({ channel, stored, onClose }: EditorProps) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Template>(stored ?? { title: "", text: "" });
  const preview = useMessagePreview(channel, draft);
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
        <PlaceholderList />
        {(preview.data || !preview.error) && <Preview preview={preview.data} isWebhook={isWebhook} />}
      </form>
    </Dialog>
  );
}
