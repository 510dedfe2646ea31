/** One figure, and what it should be. */
export function show(what: string, value: number, goal?: string): void {
  console.log(`${what.padEnd(62)} ${value.toFixed(2).padStart(9)}${goal ? `   (goal ${goal})` : ""}`);
}
