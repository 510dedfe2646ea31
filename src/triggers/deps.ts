import type { Deps as AlertDeps } from "#alerts/deps.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";

/** Dependencies for firing triggers. */
export type Deps = AlertDeps & { http: GuardedFetch };
