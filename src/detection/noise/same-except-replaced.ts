const REPLACED = "\ufffd";

/**
 * Whether two texts are the same except that one has U+FFFD, the mark of a byte that could not be decoded, where the
 * other has characters. ASCII can always be decoded, so a mark never stands for a digit, a letter A to Z or a space.
 */
export function isSameExceptReplaced(before: string, after: string): boolean {
  if (!before.includes(REPLACED) && !after.includes(REPLACED)) return false;
  let [x, y] = [0, 0];
  while (x < before.length && y < after.length) {
    if (before[x] === after[y]) {
      x++;
      y++;
      continue;
    }
    const [oldEnd, newEnd] = [endOfUndecoded(before, x), endOfUndecoded(after, y)];
    if (oldEnd === x || newEnd === y) return false;
    if (!before.slice(x, oldEnd).includes(REPLACED) && !after.slice(y, newEnd).includes(REPLACED))
      return false;
    [x, y] = [oldEnd, newEnd];
  }
  return x === before.length && y === after.length;
}

/** The end of the characters from here on that are not ASCII. */
function endOfUndecoded(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) > 127) at++;
  return at;
}
