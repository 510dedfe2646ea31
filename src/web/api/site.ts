import { useEffect, useState } from "react";
import { call, type ReplyOf } from "./call.ts";

type Site = ReplyOf<"GET /api/site">;

let asked: Promise<Site> | undefined;

/** What this installation tells of itself; asked once per page load, undefined until answered. */
export function useSite(): Site | undefined {
  const [site, setSite] = useState<Site>();
  useEffect(() => {
    asked ??= call("GET /api/site");
    asked.then(setSite, () => {
      asked = undefined;
    });
  }, []);
  return site;
}
