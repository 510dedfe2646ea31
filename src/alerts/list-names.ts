const shownNames = 5;
const shownCharacters = 40;

/** "Home, Shop and Blog"; of many names the first ones, and how many more there are. */
export function listNames(names: string[]): string {
  const left = names.length - shownNames;
  const shown = names
    .slice(0, left === 1 ? shownNames + 1 : shownNames)
    .map((name) =>
      name.length > shownCharacters ? `${name.slice(0, shownCharacters - 1).toWellFormed()}…` : name,
    );
  const all = left > 1 ? [...shown, `${left} more`] : shown;
  const last = all.at(-1) ?? "";
  return all.length < 2 ? last : `${all.slice(0, -1).join(", ")} and ${last}`;
}
