/** A header or a secret of a form. */
export type NamedValue = { name: string; value: string };

/** The most headers or secrets that a list can have. */
export const maxNamedValues = 10;
