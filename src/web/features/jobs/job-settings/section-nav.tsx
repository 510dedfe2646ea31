import { type RefObject, useEffect, useRef, useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { Select } from "#web/ui/select.tsx";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";

type SectionNavProps = {
  sections: readonly { id: string; title: string }[];
  /** Sections with unsaved edits. */
  edited: readonly string[];
  /** The scrolling page with an element `[data-section]` per section. */
  page: RefObject<HTMLElement | null>;
};

/** The settings page's table of contents. The URL names the section, so that a link can open one. */
export function SectionNav({ sections, edited, page }: SectionNavProps) {
  const [search, change] = useUrlParams();
  const wanted = search.get("section");
  const [current, setCurrent] = useState(wanted ?? sections[0]?.id ?? "");
  // The last sections can't scroll to the top, so what a link opened stays current until the user scrolls.
  const isJump = useRef(false);

  const jump = useRef((id: string) => {
    const section = page.current?.querySelector<HTMLElement>(`[data-section="${CSS.escape(id)}"]`);
    if (!section) return;
    isJump.current = true;
    section.scrollIntoView({ block: "start" });
    section.querySelector<HTMLElement>("[tabindex]")?.focus({ preventScroll: true });
    setCurrent(id);
  });

  useEffect(() => {
    // After the dialog has focused its first field.
    if (wanted) requestAnimationFrame(() => jump.current(wanted));
  }, [wanted]);

  useEffect(() => {
    const scroller = page.current;
    if (!scroller) return;
    function follow() {
      if (isJump.current) {
        isJump.current = false;
        return;
      }
      const top = (scroller as HTMLElement).getBoundingClientRect().top + 96;
      const shown = [...(scroller as HTMLElement).querySelectorAll<HTMLElement>("[data-section]")];
      const last = shown.findLast((section) => section.getBoundingClientRect().top <= top) ?? shown[0];
      if (last?.dataset.section) setCurrent(last.dataset.section);
    }
    scroller.addEventListener("scroll", follow, { passive: true });
    return () => scroller.removeEventListener("scroll", follow);
  }, [page]);

  function open(id: string) {
    if (id === wanted) jump.current(id);
    else change({ section: id }, true);
  }

  const titleOf = ({ id, title }: { id: string; title: string }) =>
    edited.includes(id) ? `${title} (not saved yet)` : title;
  return (
    <>
      <nav aria-label="Sections" className="hidden md:block">
        <ul className="grid gap-0.5">
          {sections.map((section) => (
            <li key={section.id}>
              <button
                type="button"
                aria-current={section.id === current ? "true" : undefined}
                onClick={() => open(section.id)}
                className={cx(
                  "flex min-h-8 w-full items-center gap-2 rounded-control px-2.5 py-1 text-start text-sm transition-colors hover:bg-hover hover:text-ink",
                  section.id === current ? "bg-fill font-medium text-ink" : "text-muted",
                )}
              >
                <span className="min-w-0 flex-1">{section.title}</span>
                {edited.includes(section.id) && (
                  <span className="size-2 shrink-0 rounded-full bg-accent-text">
                    <span className="sr-only">not saved yet</span>
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <Select
        label="Section"
        hideLabel
        value={current}
        onChange={open}
        options={sections.map((section) => ({ value: section.id, label: titleOf(section) }))}
        className="md:hidden"
      />
    </>
  );
}
