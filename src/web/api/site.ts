import { useEffect, useState } from "react";
import { call, type ReplyOf } from "./call.ts";

type Site = ReplyOf<"GET /api/site">;

let siteRequest: Promise<Site> | undefined;

/** Public facts about this installation, requested once per page load; undefined until they arrive. */
export function useSite(): Site | undefined {
  const [site, setSite] = useState<Site>();
  useEffect(() => {
    siteRequest ??= call("GET /api/site");
    siteRequest.then(setSite, () => {
      siteRequest = undefined;
    });
  }, []);
  return site;
}
