const longest = 30;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Cuts a name to 30 graphemes (characters as people count them) and adds an ellipsis if it was longer. */
export function cutName(name: string): string {
  const characters = Array.from(segmenter.segment(name), (part) => part.segment);
  return characters.length <= longest ? name : `${characters.slice(0, longest).join("")}…`;
}
