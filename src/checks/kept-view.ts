import type { Snapshot } from "#contract/capture.ts";
import { applyRules, readRules, type View } from "#detection/apply-rules.ts";
import { noRules } from "#detection/rules.ts";

/** The parts of a capture as they are kept, without its picture. */
export type KeptBytes = { html: Uint8Array; body: Uint8Array; facts: Uint8Array };

type Facts = Omit<Snapshot, "html" | "body" | "picture"> & {
  picture: { width: number; height: number } | null;
};

/** A kept capture that no rule cuts: it is read where it is compared, since reading a large one takes a while. */
export type KeptView = { kept: KeptBytes };

const made = new WeakMap<Snapshot, KeptBytes>();

export function toKept(snapshot: Snapshot): KeptBytes {
  const kept = made.get(snapshot) ?? pack(snapshot);
  made.set(snapshot, kept);
  return kept;
}

function pack({ html, body, picture, ...rest }: Snapshot): KeptBytes {
  const facts: Facts = { ...rest, picture: picture && { width: picture.width, height: picture.height } };
  return { html: Buffer.from(html), body, facts: Buffer.from(JSON.stringify(facts)) };
}

export function openSnapshot({ html, body, facts }: KeptBytes): Snapshot {
  return { ...(JSON.parse(textOf(facts)) as Facts), html: textOf(html), body, picture: null };
}

export function openView(view: View | KeptView): View {
  return "kept" in view ? whole(openSnapshot(view.kept)) : view;
}

export const whole = (snapshot: Snapshot): View => applyRules(snapshot, readRules(noRules));

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}
