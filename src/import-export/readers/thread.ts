// Reads imported files outside the thread that answers API calls.
import { flushCompileCache } from "node:module";
import { toThreadAnswer } from "#contract/unreadable-file.ts";
import { readImport } from "./read-import.ts";

// The next thread loads faster with the code that this one has compiled.
flushCompileCache();

export const read = (path: string) => toThreadAnswer(() => readImport(path));
