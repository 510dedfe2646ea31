export const exportFormats = ["json", "csv", "zip", "wacz"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Header with the number of executions in an export, so that a page can show the download's progress. */
export const exportTotalHeader = "x-executions";
