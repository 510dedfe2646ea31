import { useState } from "react";
import type { LiveInput } from "#contract/live-view.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";

type LiveTextProps = { isOpen: boolean; send: (input: LiveInput) => void };

const keys = ["Enter", "Tab", "Backspace", "Escape"] as const;

/** Types into the page without a keyboard on it, as on a phone. */
export function LiveText({ isOpen, send }: LiveTextProps) {
  const [text, setText] = useState("");
  const [isHidden, setHidden] = useState(false);
  function type() {
    if (text) send({ type: "paste", text });
    setText("");
  }
  return (
    <div className="grid min-w-0 gap-2">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
        <Field
          label="Text for the field that has the focus on the page"
          type={isHidden ? "password" : "text"}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            type();
          }}
        />
        <Button disabled={!isOpen || text === ""} onClick={type}>
          Type it
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {keys.map((key) => (
          <Button
            key={key}
            size="sm"
            disabled={!isOpen}
            onClick={() => send({ type: "key", key, modifiers: [] })}
          >
            {key}
            <span className="sr-only"> key on the page</span>
          </Button>
        ))}
        <label className="ms-auto flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={isHidden}
            onChange={(event) => setHidden(event.target.checked)}
            className="size-4 accent-accent-text"
          />
          Hide what I type
        </label>
      </div>
    </div>
  );
}
