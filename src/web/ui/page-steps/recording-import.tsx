import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { PageStep } from "#contract/page-steps.ts";
import { Button } from "#web/ui/button.tsx";
import { FieldError } from "#web/ui/field-error.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import type { NamedValue } from "../named-value.ts";

/** Turns a recording into steps; the server does. */
export type ReadRecording = (
  recording: string,
) => Promise<{ steps: unknown[]; secrets: NamedValue[]; refused: string[] }>;

type RecordingImportProps = {
  read: ReadRecording;
  onSteps: (steps: PageStep[], secrets: NamedValue[]) => void;
  onClose: () => void;
};

/** Takes over a recording that was pasted or chosen as a file. */
export function RecordingImport({ read, onSteps, onClose }: RecordingImportProps) {
  const [text, setText] = useState("");
  const reading = useMutation({
    mutationFn: read,
    onSuccess: ({ steps, secrets, refused }) => {
      if (steps.length > 0) onSteps(steps as PageStep[], secrets);
      setText("");
      if (refused.length === 0) onClose();
    },
  });
  const { data } = reading;
  return (
    <div className="grid min-w-0 gap-3 rounded-control border border-line p-3">
      <TextArea
        label="Recording"
        mono
        rows={4}
        placeholder={'{"title":"Sign in","steps":[…]}'}
        hint="JSON of the recorder in Chrome’s DevTools, or JavaScript of Playwright’s codegen. Passwords in it become secrets."
        value={text}
        onChange={(event) => setText(event.target.value)}
        spellCheck={false}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          look="primary"
          busy={reading.isPending}
          disabled={text.trim() === ""}
          onClick={() => reading.mutate(text)}
        >
          Add its steps
        </Button>
        <label className="text-sm">
          <span className="sr-only">Recording as a file</span>
          <input
            type="file"
            accept=".json,.js,.ts"
            className="max-w-full text-sm text-muted"
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              void file?.text().then((content) => reading.mutate(content));
              event.target.value = "";
            }}
          />
        </label>
        <Button size="sm" look="ghost" className="ms-auto" onClick={onClose}>
          Close
        </Button>
      </div>
      <FieldError
        error={reading.error ? reading.error.message || "The recording could not be read." : undefined}
      />
      {data && data.refused.length > 0 && (
        <div role="status" className="grid gap-1 text-sm">
          <p>{data.steps.length === 0 ? "No steps were added." : "The other steps were added."}</p>
          <ul className="grid list-disc gap-1 ps-5 text-removed">
            {data.refused.slice(0, 20).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            {data.refused.length > 20 && <li>… and {data.refused.length - 20} more</li>}
          </ul>
        </div>
      )}
    </div>
  );
}
