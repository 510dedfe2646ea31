import { type NoiseMemory, openMemory, placeOfBox } from "./noise-memory.ts";

/** A memory as a check leaves it, with what its user said while the check was running. */
export function keepSaid(left: Partial<NoiseMemory>, stored: Partial<NoiseMemory> | null): NoiseMemory {
  const learned = openMemory(left);
  const { answers, kept, said, dates, boxes } = openMemory(stored);
  // What was said before the check went on with it; what was taken back meanwhile is gone.
  const followed = Object.entries(said).map(([id, one]) => [id, learned.said[id] ?? one] as const);
  const marked = boxes.filter((box) => box.kept || box.said);
  const isMarked = (place: string) => marked.some((box) => placeOfBox(box) === place);
  const others = learned.boxes
    .map(({ kept: _kept, said: _said, ...box }) => box)
    .filter((box) => !isMarked(placeOfBox(box)));
  return {
    ...learned,
    answers,
    kept,
    dates,
    said: Object.fromEntries(followed),
    boxes: [...others, ...marked],
  };
}
