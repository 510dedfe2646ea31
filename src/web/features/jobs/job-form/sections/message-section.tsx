import { CallError } from "#web/api/call.ts";
import { useMessagePreview } from "#web/api/use-message-preview.ts";
import { Field } from "#web/ui/field.tsx";
import { Preview } from "#web/ui/messages/message-preview.tsx";
import { PlaceholderList } from "#web/ui/messages/placeholder-list.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import type { JobFields, Problems } from "../fields.ts";

type MessageSectionProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  jobId?: string;
};

/** The text of the job's alerts in the user's own words. */
export function MessageSection({ fields, problems, put, jobId }: MessageSectionProps) {
  const draft = { title: fields.messageTitle, text: fields.messageText };
  const isOwn = messageNote(fields) !== usual;
  const preview = useMessagePreview("email", { ...draft, ...(jobId && { jobId }) }, isOwn);
  const refused = preview.error instanceof CallError ? preview.error : undefined;
  const problemAt = (name: "title" | "text") => (refused?.field === name ? refused.message : undefined);
  return (
    <div className="grid grid-cols-1 gap-4">
      <Field
        label="Title"
        mono
        placeholder="{{title}}"
        value={fields.messageTitle}
        onChange={(event) => put({ messageTitle: event.target.value })}
        error={problems.messageTitle ?? problemAt("title")}
        autoComplete="off"
        spellCheck={false}
      />
      <TextArea
        label="Text"
        mono
        rows={4}
        placeholder={"{{message}}\n{{words}}\n{{link}}"}
        hint="Leave both empty to use each channel’s own text. **bold**, ~~struck~~ and `code` work; what a page says is only text."
        value={fields.messageText}
        onChange={(event) => put({ messageText: event.target.value })}
        error={problems.messageText ?? problemAt("text")}
        spellCheck={false}
      />
      <PlaceholderList />
      {isOwn && (preview.data || !preview.error) && (
        <Preview preview={preview.data} isOfJob={jobId !== undefined} />
      )}
    </div>
  );
}

const usual = "the channel’s text";

export const messageNote = ({
  messageTitle,
  messageText,
}: Pick<JobFields, "messageTitle" | "messageText">): string =>
  messageTitle.trim() || messageText.trim() ? "custom text" : usual;
