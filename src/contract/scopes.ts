/** What an API key may do; each includes those before it. */
export const scopes = {
  read: "Read jobs, history, captures and notifications",
  check: "Also run checks",
  write: "Also change jobs, groups, rules, shares and reports",
  everything: "Also channels, billing and the account itself",
} as const;

export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]];

export function includesScope(held: Scope, needed: Scope): boolean {
  return scopeNames.indexOf(held) >= scopeNames.indexOf(needed);
}
