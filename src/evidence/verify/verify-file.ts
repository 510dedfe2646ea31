import { closeSync, openSync } from "node:fs";
import { checkAccount } from "./check-account.ts";
import { checkExport, type Known, type Verdict } from "./check-archive.ts";
import { BadFile, ForeignZip, openZip } from "./read-zip.ts";

/** Checks a file and says in words what is intact, what is missing and what was altered. */
export function verifyFile(path: string, known: Known, program: string | undefined): Verdict {
  const file = openSync(path, "r");
  try {
    const zip = openZip(file);
    return zip.has("watchglass.json") && !zip.has("job.json")
      ? checkAccount(zip, known, program)
      : checkExport(zip, known, program);
  } catch (error) {
    // Codes without an underscore are those of the file system.
    if (error instanceof BadFile || /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
    const text =
      error instanceof ForeignZip
        ? `The ZIP is not as Watchglass writes it: ${error.message}`
        : "Something in it is not as Watchglass writes it, so it could not be checked to the end.";
    return { problems: [{ problem: "altered", text }], notes: [], proves: "" };
  } finally {
    closeSync(file);
  }
}
