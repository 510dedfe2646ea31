const units = ["bytes", "KiB", "MiB", "GiB"];

/** 1536 → "1.5 KiB". */
export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const number = bytes / 1024 ** step;
  const isShort = number < 10 && step > 0;
  return `${number.toLocaleString("en", { maximumFractionDigits: isShort ? 1 : 0 })} ${units[step]}`;
}
