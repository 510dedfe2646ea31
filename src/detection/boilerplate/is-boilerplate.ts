import type { Spot } from "../html-parsing/page.ts";

const boilerplateAreas = new Set(["nav", "header", "footer", "aside"]);

/** Whether a landmark is boilerplate: navigation, header, footer or sidebar. */
export function isBoilerplate(area: string): boolean {
  return boilerplateAreas.has(area);
}

/** Whether something is outside the main content: in such a landmark, or in a zone. */
export function isOutsideContent({ area, zone }: Pick<Spot, "area" | "zone">): boolean {
  return zone !== "" || isBoilerplate(area);
}
