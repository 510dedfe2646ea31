// What an operator does by hand: npm run ops -- plan EMAIL basic|professional|ultimate
import { grantPlan } from "#billing/grant-plan.ts";
import { plans } from "#contract/plans.ts";
import { compose } from "#server/compose.ts";
import { readConfig } from "#server/config.ts";
import { createLogger } from "#server/logger.ts";
import { runningPostgres } from "#storage/embedded-postgres.ts";

const [task, email = "", wanted = ""] = process.argv.slice(2);
const plan = plans.find(({ id }) => id === wanted);
if (task !== "plan" || !email || !plan) {
  console.error(`npm run ops -- plan EMAIL ${plans.map(({ id }) => id).join("|")}`);
  process.exit(2);
}
const config = readConfig(process.env);
const databaseUrl = config.databaseUrl ?? (await runningPostgres(config.dataDir));
if (!databaseUrl) {
  console.error("Start Watchglass first, or set DATABASE_URL.");
  process.exit(1);
}
const app = await compose({ ...config, databaseUrl }, createLogger("warn"));
const isThere = await grantPlan(app.billing, email, plan.id);
await app.close();
console.log(isThere ? `${email} is on the ${plan.name} plan.` : `There is no account of ${email}.`);
process.exit(isThere ? 0 : 1);
