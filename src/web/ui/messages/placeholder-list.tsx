import { messagePlaceholders, otherPlaceholders } from "#message-templates/placeholders.ts";

/** The names that a message may contain, and what each inserts. */
export function PlaceholderList() {
  return (
    <details>
      <summary className="w-fit rounded-sm text-sm font-medium">Placeholders</summary>
      <dl className="mt-2 grid grid-cols-1 gap-x-3 text-sm sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-y-1">
        {Object.entries({ ...messagePlaceholders, ...otherPlaceholders }).map(([name, meaning]) => (
          <div key={name} className="contents">
            <dt className="font-mono">{`{{${name}}}`}</dt>
            <dd className="mb-1.5 text-muted sm:mb-0">{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
