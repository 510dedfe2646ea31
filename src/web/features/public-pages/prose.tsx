import type { ReactNode } from "react";
import { useTitle } from "#web/ui/use-title.ts";

type Part = { title: string; body: ReactNode };

type ProseProps = { title: string; note?: string; lead?: ReactNode; parts: Part[]; numbered?: boolean };

const idOf = (title: string) => title.toLowerCase().replace(/[^a-z]+/g, "-");

/** A long text with a table of contents next to it. */
export function Prose({ title, note, lead, parts, numbered = false }: ProseProps) {
  useTitle(title);
  return (
    <div className="mx-auto grid max-w-280 grid-cols-1 gap-12 px-5 py-16 lg:grid-cols-[220px_minmax(0,1fr)]">
      <nav aria-label="Sections" className="text-sm max-lg:hidden">
        <ol className="sticky top-24 grid gap-1.5">
          {parts.map((part) => (
            <li key={part.title}>
              <a
                href={`#${idOf(part.title)}`}
                className="rounded-sm text-muted transition-colors hover:text-ink"
              >
                {part.title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <article className="grid max-w-170 grid-cols-1 gap-10">
        <header className="grid gap-3">
          <h1 className="text-2xl tracking-tight">{title}</h1>
          {note && <p className="text-base text-muted">{note}</p>}
          {lead && <div className="text-muted">{lead}</div>}
        </header>
        {parts.map((part, i) => (
          <section key={part.title} id={idOf(part.title)} className="grid gap-3">
            <h2 className="text-xl">{numbered ? `${i + 1}. ${part.title}` : part.title}</h2>
            <div className="grid gap-3 text-muted [&_a]:text-accent-text [&_a]:underline [&_a]:underline-offset-2 [&_strong]:font-medium [&_strong]:text-ink [&_ul]:grid [&_ul]:list-disc [&_ul]:gap-1.5 [&_ul]:ps-5">
              {part.body}
            </div>
          </section>
        ))}
      </article>
    </div>
  );
}
