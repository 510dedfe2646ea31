export type { ContentKind, Snapshot, TextBlock } from "#detection/snapshot.ts";
