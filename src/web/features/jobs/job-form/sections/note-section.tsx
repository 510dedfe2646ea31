import { Field } from "#web/ui/field.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import type { SectionProps } from "./section-props.ts";

/** What the user writes about the job, for themselves, and the words by which they find it. */
export function NoteSection({ fields, problems, put }: SectionProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextArea
        label="Note"
        rows={2}
        hint="Why you watch this page. Only you can see this."
        value={fields.note}
        onChange={(event) => put({ note: event.target.value })}
        error={problems.note}
      />
      <Field
        label="Tags"
        placeholder="shop, client A"
        hint="Separated by commas. The list of all jobs can be filtered by them."
        value={fields.tags}
        onChange={(event) => put({ tags: event.target.value })}
        error={problems.tags}
        autoComplete="off"
      />
    </div>
  );
}
