/** Prints one figure and its goal. */
export function show(label: string, value: number, goal?: string): void {
  console.log(`${label.padEnd(62)} ${value.toFixed(2).padStart(9)}${goal ? `   (goal ${goal})` : ""}`);
}
