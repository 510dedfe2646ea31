type Position = readonly [x: number, y: number];

/** An SVG path that keeps each value until the next one; null interrupts the line. */
export function stepPath(positions: (Position | null)[]): string {
  const round = (coordinate: number) => Math.round(coordinate * 10) / 10;
  let path = "";
  let isOpen = false;
  for (const position of positions) {
    if (position) {
      const [x, y] = [round(position[0]), round(position[1])];
      path += isOpen ? `H${x}V${y}` : `M${x} ${y}`;
    }
    isOpen = position !== null;
  }
  return path;
}
