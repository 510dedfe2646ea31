import { type NoiseMemory, nameBoxLocation, openMemory } from "./noise-memory.ts";

/** Merges the memory that a check returned with the feedback that the user gave while the check was running. */
export function mergeFeedback(
  fromCheck: Partial<NoiseMemory>,
  stored: Partial<NoiseMemory> | null,
): NoiseMemory {
  const learned = openMemory(fromCheck);
  const { answers, kept, said, dates, boxes } = openMemory(stored);
  // The check may have updated older feedback, so its version is used; feedback withdrawn meanwhile is dropped.
  const feedback = Object.entries(said).map(([id, entry]) => [id, learned.said[id] ?? entry] as const);
  const marked = boxes.filter((box) => box.kept || box.said);
  const isMarked = (place: string) => marked.some((box) => nameBoxLocation(box) === place);
  const others = learned.boxes
    .map(({ kept: _kept, said: _feedback, ...box }) => box)
    .filter((box) => !isMarked(nameBoxLocation(box)));
  return {
    ...learned,
    answers,
    kept,
    dates,
    said: Object.fromEntries(feedback),
    boxes: [...others, ...marked],
  };
}
