import { setFlagsFromString } from "node:v8";
import { releaseMemoryWhenIdle } from "./background-tasks/release-memory.ts";
import { runRoles } from "./startup/run-roles.ts";

// By default every few pictures, which are outside V8's heap, make it collect the whole heap: a tenth of the work.
setFlagsFromString("--external-memory-accounted-in-global-limit");
// By default, after an idle period, V8 lets the heap grow so little that it collects two or three times a second.
setFlagsFromString("--heap-growing-percent=150");

releaseMemoryWhenIdle();
await runRoles(process.env);
