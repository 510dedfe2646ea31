import { type TaskName, taskOptions } from "#queue/tasks.ts";
import { StartError } from "#server/startup/start-error.ts";
import { withProduct } from "./open-product.ts";

const listed = 200;

export async function replay([queue, id]: string[]): Promise<boolean> {
  if (queue && !(queue in taskOptions))
    throw new StartError(`There is no queue ${queue}; there are ${Object.keys(taskOptions).join(", ")}.`);
  if (id && !/^[0-9a-f-]{36}$/.test(id))
    throw new StartError(`${id} is no task's id; npm run ops -- replay lists them.`);
  return withProduct(async (app) => {
    if (queue) {
      const sent = await app.queue.replay(queue as TaskName, id);
      console.log(sent === 1 ? "1 task was sent again." : `${sent} tasks were sent again.`);
      return sent > 0 || !id;
    }
    const dead = await app.queue.listDead(listed);
    for (const { name, id, at, reason } of dead)
      console.log(`${name} ${id} ${at.toISOString()} ${reason ?? ""}`);
    console.log(
      dead.length === 0
        ? "Nothing was given up."
        : `${dead.length === listed ? `The oldest ${listed}` : dead.length} given up; npm run ops -- replay QUEUE sends a queue's again.`,
    );
    return true;
  });
}
