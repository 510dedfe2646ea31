export const exportFormats = ["json", "csv", "zip", "wacz"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Says how many executions an export holds, so that a page can show how far a download is. */
export const exportTotalHeader = "x-executions";
