// A thread that behaves as if it read hostile files: it loops, fills its memory or refuses.
import { toThreadAnswer, UnreadableFile } from "#contract/unreadable-file.ts";

export const echo = (text: string) => toThreadAnswer(() => text);

export function loop(): never {
  for (;;);
}

export function fill(): never {
  const all: number[][] = [];
  for (;;) all.push(Array.from({ length: 1_000_000 }, () => all.length + 0.5));
}

export const refuse = () =>
  toThreadAnswer(() => {
    throw new UnreadableFile("It is no file of ours.");
  });
