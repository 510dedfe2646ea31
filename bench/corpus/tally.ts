/** Counts alerts by stratum and prints them in the format that the corpus's README asks for. */
export class Tally {
  readonly #rows = new Map<string, { alarms: number; pairs: number; label: string }>();

  add(label: string, stratum: string, alarmed: boolean): void {
    const key = `${label} ${stratum}`;
    const row = this.#rows.get(key) ?? { alarms: 0, pairs: 0, label };
    row.pairs++;
    if (alarmed) row.alarms++;
    this.#rows.set(key, row);
  }

  /** Share of alerted pairs among those whose label and stratum match; null if there are none. */
  rate(labels: string[], stratum?: string): number | null {
    let alarms = 0;
    let pairs = 0;
    for (const [key, row] of this.#rows) {
      if (!labels.includes(row.label) || (stratum !== undefined && key !== `${row.label} ${stratum}`))
        continue;
      alarms += row.alarms;
      pairs += row.pairs;
    }
    return pairs === 0 ? null : alarms / pairs;
  }

  print(): void {
    for (const [key, row] of [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const share = (row.alarms / row.pairs).toFixed(3);
      console.log(
        `  ${key.padEnd(48)} ${String(row.alarms).padStart(4)} of ${String(row.pairs).padStart(4)} alarmed  ${share}`,
      );
    }
  }
}

export function show(rate: number | null): string {
  return rate === null ? "none" : rate.toFixed(4);
}
