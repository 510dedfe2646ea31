import { messagePlaceholders } from "#message-templates/placeholders.ts";

/** The names that a message may contain, and what each inserts. */
export function PlaceholderList() {
  return (
    <details>
      <summary className="w-fit rounded-sm text-sm font-medium">Placeholders</summary>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        {Object.entries(messagePlaceholders).map(([name, meaning]) => (
          <div key={name} className="contents">
            <dt className="font-mono">{`{{${name}}}`}</dt>
            <dd className="text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
