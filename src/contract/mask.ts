import type { NamedHeader } from "./setting-shapes.ts";

/** Shown in API responses in place of a secret. */
const mask = "••••••••";

export const maskValues = (list: NamedHeader[]) => list.map(({ name }) => ({ name, value: mask }));

/** A header or secret that is sent back with the mask keeps its stored value. */
export function unmaskValues(given: NamedHeader[], stored: NamedHeader[]): NamedHeader[] {
  return given.map((one) => {
    const old = stored.find(({ name }) => name.toLowerCase() === one.name.toLowerCase());
    return one.value === mask && old ? { ...one, value: old.value } : one;
  });
}
