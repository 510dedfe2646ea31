/** What an API key may do. Each scope includes the ones before it. */
export const scopes = {
  read: "Read jobs, history, captures and notifications",
  check: "Also run checks",
  write: "Also change jobs, groups, rules, shares and reports",
  everything: "Also channels, billing, the account itself and its whole archive",
} as const;

export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]];

export function includesScope(held: Scope, needed: Scope): boolean {
  return scopeNames.indexOf(held) >= scopeNames.indexOf(needed);
}
