import type { ReplyOf } from "#web/api/call.ts";
import { exactTime } from "#web/ui/time/relative-time.ts";

type Sides = Pick<ReplyOf<"GET /api/share/:token">, "before" | "after">;

/** Whoever shares a comparison may have written an imported one, so it must not look like captures of this server. */
export function ImportNote({ before, after }: Sides) {
  const importedAt = before?.importedAt ?? after.importedAt;
  if (!importedAt) return null;
  const isBoth = Boolean(before?.importedAt && after.importedAt);
  const side = before?.importedAt ? "before" : "after";
  return (
    <p className="basis-full text-sm text-changed">
      {isBoth ? "Both captures were" : before ? `The capture ${side} the change was` : "This capture was"}{" "}
      imported from an archive on {exactTime(Date.parse(importedAt))}. This server didn’t make{" "}
      {isBoth ? "them" : "it"}, so it can’t vouch for what {isBoth ? "they show" : "it shows"}.
    </p>
  );
}
