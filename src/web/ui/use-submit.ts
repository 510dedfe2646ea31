import { type FormEvent, useRef, useState } from "react";

/** Runs a form's action once at a time: further clicks and Enter presses are ignored until it ends. */
export function useSubmit(action: () => Promise<void>): {
  busy: boolean;
  submit: (event: FormEvent) => void;
} {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  async function run() {
    running.current = true;
    setBusy(true);
    try {
      await action();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return {
    busy,
    submit(event) {
      event.preventDefault();
      if (!running.current) void run();
    },
  };
}
