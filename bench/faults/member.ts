// A process of the product that takes over a dead process's tasks sooner, for the short form.
import { runRoles } from "#server/startup/run-roles.ts";

await runRoles(process.env, { heartbeatSeconds: 10, superviseSeconds: 1 });
