import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";

/** Whether a text could be copied: the user may refuse, and there is no clipboard outside HTTPS and localhost. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies a value and confirms it for two seconds. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  async function copy() {
    setState((await copyText(value)) ? "copied" : "refused");
  }
  const words = { idle: label, copied: "Copied", refused: "We couldn’t copy it" }[state];
  return (
    <>
      <IconButton
        icon={state === "copied" ? "check" : state === "refused" ? "alert" : "copy"}
        label={words}
        onClick={() => void copy()}
      />
      <output className="sr-only">{state === "idle" ? "" : words}</output>
    </>
  );
}
