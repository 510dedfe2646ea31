const longest = 30;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A name of at most 30 characters as people count them, an ellipsis where more was cut. */
export function cutName(name: string): string {
  const characters = Array.from(segmenter.segment(name), (part) => part.segment);
  return characters.length <= longest ? name : `${characters.slice(0, longest).join("")}…`;
}
