import { useCallback, useMemo, useState } from "react";
import { useAddress } from "#web/ui/use-address.ts";
import { type ImageMode, imageModes } from "./image/image-compare.tsx";
import type { Command } from "./keys.ts";
import { lookOf } from "./view-state.ts";

const flag = (on: boolean) => (on ? "1" : null);

/** How the comparison is looked at, and the commands that change it. */
export function useLook(hasImage: boolean, regions: number) {
  const [search, change] = useAddress();
  const look = useMemo(() => lookOf(search, hasImage), [search, hasImage]);
  const [counts, setCounts] = useState({ changes: 0, hits: 0 });
  const [findFocus, setFindFocus] = useState(0);
  const count = look.show === "image" ? regions : look.find ? counts.hits : counts.changes;
  const onCounted = useCallback(
    (changes: number, hits: number) =>
      setCounts((before) =>
        before.changes === changes && before.hits === hits ? before : { changes, hits },
      ),
    [],
  );

  /** Answers whether the command was one of these. */
  function run(command: Command): boolean {
    const put = (parts: Record<string, string | null>) => {
      change(parts, true);
      return true;
    };
    const zoomTo = (zoom: number) => put({ zoom: zoom === 1 ? null : String(Number(zoom.toFixed(2))) });
    const mode = imageModes.find((known) => known === command);
    if (mode) return put({ mode, show: null });
    switch (command) {
      case "image":
        return put({ show: look.show === "image" ? "html" : null, at: null, find: null });
      case "layout":
        return put({ layout: look.layout === "split" ? "unified" : null });
      case "filter":
        return put({ filter: flag(!look.filter), show: "html" });
      case "wrap":
        return put({ wrap: flag(!look.wrap) });
      case "source":
        return put({ raw: flag(look.formatted), at: null });
      case "zoomIn":
        return zoomTo(Math.min(8, look.zoom * 1.25));
      case "zoomOut":
        return zoomTo(Math.max(0.25, look.zoom / 1.25));
      case "zoomReset":
        return zoomTo(1);
      case "nextChange":
        return count === 0 || put({ at: String((look.at + 1) % count) });
      case "previousChange":
        return count === 0 || put({ at: String((look.at - 1 + count) % count) });
      case "find":
        if (look.show === "image") put({ show: "html", at: null });
        setFindFocus((times) => times + 1);
        return true;
      default:
        return false;
    }
  }

  return {
    look,
    count,
    run,
    onCounted,
    findFocus,
    setMode: (mode: ImageMode) => change({ mode: mode === "side" ? null : mode }, true),
    setFind: (text: string) => change({ find: text || null, at: null }, true),
  };
}
