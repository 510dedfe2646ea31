/** Formats a count with its noun, such as "1 execution" or "2,000 executions". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
