import { setFlagsFromString } from "node:v8";
import { restWhenIdle } from "./rest.ts";
import { runRoles } from "./run-roles.ts";

// By default every few pictures, which lie outside V8's heap, make it search all that is inside: a tenth of the work.
setFlagsFromString("--external-memory-accounted-in-global-limit");
// And after a quiet while it searches two or three times a second, since it lets the heap grow by next to nothing then.
setFlagsFromString("--heap-growing-percent=150");

restWhenIdle();
await runRoles(process.env);
