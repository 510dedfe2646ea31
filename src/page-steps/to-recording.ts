import type { PageStep } from "#contract/page-steps.ts";

const modifiers = new Set(["Control", "Shift", "Alt", "Meta"]);

/** A recording that the DevTools Recorder imports. Secrets stay references. */
export function toRecording(title: string, steps: PageStep[]): string {
  const list = steps.flatMap((step) => {
    const withTarget = { ...step, ...(step.type !== "navigate" && { target: "main" }) };
    const isKey = step.type === "keyDown" && !modifiers.has(step.key);
    return isKey ? [withTarget, { type: "keyUp", key: step.key, target: "main" }] : [withTarget];
  });
  return `${JSON.stringify({ title, steps: list }, null, 2)}\n`;
}
