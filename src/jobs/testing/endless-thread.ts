// A thread as hostile files would make of one that reads them.
import { toAnswer, UnreadableFile } from "../unreadable-file.ts";

export const echo = (text: string) => toAnswer(() => text);

export function loop(): never {
  for (;;);
}

export function fill(): never {
  const all: number[][] = [];
  for (;;) all.push(Array.from({ length: 1_000_000 }, () => all.length + 0.5));
}

export const refuse = () =>
  toAnswer(() => {
    throw new UnreadableFile("It is no file of ours.");
  });
