// A process of the product that takes up sooner what a dead one held, for the short form.
import { runRoles } from "#server/run-roles.ts";

await runRoles(process.env, { heartbeatSeconds: 10, superviseSeconds: 1 });
