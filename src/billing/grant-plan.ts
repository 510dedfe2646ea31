import type { Plan } from "#plans/plans.ts";
import { findAccountByEmail, updateAccount } from "#storage/accounts.ts";
import type { Deps } from "./deps.ts";
import { settleAccount } from "./settle-account.ts";

/** Grants an account a plan for the operator, or revokes it with "basic". Returns whether the account exists. */
export async function grantPlan(deps: Deps, email: string, planId: Plan["id"]): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const account = await findAccountByEmail(tx, email);
    if (!account) return false;
    await updateAccount(tx, account.id, { granted_plan_id: planId === "basic" ? null : planId });
    await settleAccount(deps, tx, account.id);
    return true;
  });
}
