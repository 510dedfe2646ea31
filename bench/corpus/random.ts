/** A small seeded generator (mulberry32): the corpus is the same on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  some<T>(list: readonly T[], count: number): T[] {
    const remaining = [...list];
    const picked: T[] = [];
    while (picked.length < count && remaining.length > 0)
      picked.push(...remaining.splice(this.below(remaining.length), 1));
    return picked;
  }

  chars(length: number, alphabet = "0123456789abcdef"): string {
    let text = "";
    while (text.length < length) text += alphabet[this.below(alphabet.length)];
    return text;
  }
}

export const base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
