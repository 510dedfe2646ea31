import type { Handlers } from "../register-routes.ts";
import { accountHandlers } from "./account.ts";
import { billingHandlers } from "./billing.ts";
import { operationHandlers } from "./operations.ts";

export const handlers: Handlers = { ...accountHandlers, ...billingHandlers, ...operationHandlers };
