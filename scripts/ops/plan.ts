import { grantPlan } from "#billing/grant-plan.ts";
import { plans } from "#plans/plans.ts";
import { StartError } from "#server/startup/start-error.ts";
import { withProduct } from "./open-product.ts";

export async function givePlan([email = "", wanted = ""]: string[]): Promise<boolean> {
  const plan = plans.find(({ id }) => id === wanted);
  if (!email || !plan)
    throw new StartError(`npm run ops -- plan EMAIL ${plans.map(({ id }) => id).join("|")}`);
  return withProduct(async ({ billing }) => {
    const isThere = await grantPlan(billing, email, plan.id);
    console.log(
      isThere
        ? `${email} is on the ${plan.name} plan.`
        : `There is no account with the email address ${email}.`,
    );
    return isThere;
  });
}
