// Reads the files of imports, away from the thread that answers calls.
import { flushCompileCache } from "node:module";
import { toAnswer } from "../unreadable-file.ts";
import { readImport } from "./read-import.ts";

// The next thread loads faster with what this one has compiled.
flushCompileCache();

export const read = (path: string) => toAnswer(() => readImport(path));
