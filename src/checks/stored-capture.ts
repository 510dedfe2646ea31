import type { Snapshot } from "#contract/capture.ts";
import { applyRules, parseRules, type View } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import { noRules } from "#detection/selectors-and-ignore-rules/rules.ts";

/** The stored parts of a capture, without its picture. */
export type StoredCapture = { html: Uint8Array; body: Uint8Array; facts: Uint8Array };

type Facts = Omit<Snapshot, "html" | "body" | "picture"> & {
  picture: { width: number; height: number } | null;
};

/** A stored capture that no rule filters, parsed only where it is compared: parsing a large one takes a while. */
export type StoredView = { kept: StoredCapture };

const packedBySnapshot = new WeakMap<Snapshot, StoredCapture>();

export function toStoredCapture(snapshot: Snapshot): StoredCapture {
  const packed = packedBySnapshot.get(snapshot) ?? pack(snapshot);
  packedBySnapshot.set(snapshot, packed);
  return packed;
}

function pack({ html, body, picture, ...fields }: Snapshot): StoredCapture {
  const facts: Facts = { ...fields, picture: picture && { width: picture.width, height: picture.height } };
  return { html: Buffer.from(html), body, facts: Buffer.from(JSON.stringify(facts)) };
}

export function openSnapshot({ html, body, facts }: StoredCapture): Snapshot {
  return { ...(JSON.parse(textOf(facts)) as Facts), html: textOf(html), body, picture: null };
}

export function openView(view: View | StoredView): View {
  return "kept" in view ? whole(openSnapshot(view.kept)) : view;
}

export const whole = (snapshot: Snapshot): View => applyRules(snapshot, parseRules(noRules));

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}
