/** A horizontal range in a line, in pixels from the line's start. */
export type Place = { from: number; to: number };

// In pixels: how much of a long mark must be visible to notice it.
const visiblePx = 64;
const contextPx = 24;

/** Returns how far lines must be scrolled to the right to show their marks; 0 if they are visible at the left end. */
export function scrollOffset(places: readonly Place[], width: number): number {
  const from = Math.min(...places.map((place) => place.from));
  const to = Math.max(...places.map((place) => Math.min(place.to, place.from + visiblePx)));
  if (places.length === 0 || to <= width) return 0;
  const centered = (from + to - width) / 2;
  // If the marks of both sides do not fit, the first one is shown.
  return Math.max(0, Math.round(Math.min(centered, from - contextPx)));
}

/** Locates the first mark (or hit) of rendered lines, or where their text begins if there is none. */
export function placesIn(rows: readonly Element[], sought: "mark" | "found"): Place[] {
  for (const row of rows) {
    const marks = [...row.querySelectorAll("[data-line]")].flatMap((line) => {
      const mark = line.querySelector(`[data-${sought}]`);
      return mark ? [placeOf(mark, line)] : [];
    });
    if (marks.length > 0) return marks;
  }
  return [...(rows[0]?.querySelectorAll("[data-line]") ?? [])].flatMap((line) => {
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const at = text.textContent?.search(/\S/) ?? -1;
      if (at < 0) continue;
      const firstCharacter = document.createRange();
      firstCharacter.setStart(text, at);
      firstCharacter.setEnd(text, at + 1);
      return [placeOf(firstCharacter, line)];
    }
    return [];
  });
}

function placeOf(part: Element | Range, line: Element): Place {
  const start = line.getBoundingClientRect().left;
  const { left, right } = part.getBoundingClientRect();
  return { from: left - start, to: right - start };
}
