/** A place in a line, in pixels from the line's start. */
export type Place = { from: number; to: number };

// So much of a long mark is enough to see that it is there.
const glance = 64;
const context = 24;

/** How far to the right lines must be scrolled for what is marked in them; 0 when the left end shows it. */
export function scrollFor(places: readonly Place[], width: number): number {
  const from = Math.min(...places.map((place) => place.from));
  const to = Math.max(...places.map((place) => Math.min(place.to, place.from + glance)));
  if (places.length === 0 || to <= width) return 0;
  const centred = (from + to - width) / 2;
  // When both sides' marks do not fit, the first one is shown.
  return Math.max(0, Math.round(Math.min(centred, from - context)));
}

/** Where drawn lines have their first mark (or hit); where their text begins when none has one. */
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
      const ink = document.createRange();
      ink.setStart(text, at);
      ink.setEnd(text, at + 1);
      return [placeOf(ink, line)];
    }
    return [];
  });
}

function placeOf(part: Element | Range, line: Element): Place {
  const start = line.getBoundingClientRect().left;
  const { left, right } = part.getBoundingClientRect();
  return { from: left - start, to: right - start };
}
