import { createHash } from "node:crypto";

export const FOLDS = 5;

type Sited = { id: string; service?: string; source?: string };

/** The site that a page belongs to: all pages of one site are in the same fold. */
export function siteOf({ id, service, source }: Sited): string {
  return service ?? source ?? id;
}

/** Which fifth of the sites a page belongs to, 0 to 4: a rule is made on some of them and judged by the others. */
export function foldOf(page: Sited): number {
  return (createHash("sha1").update(siteOf(page)).digest()[0] ?? 0) % FOLDS;
}
