const boilerplateAreas = new Set(["nav", "header", "footer", "aside"]);

/** Whether a landmark is boilerplate: navigation, header, footer or sidebar. */
export function isBoilerplate(area: string): boolean {
  return boilerplateAreas.has(area);
}
