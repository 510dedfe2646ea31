// What an operator does by hand; npm run ops -- lists it.
import { runTask } from "./ops/run-task.ts";

process.exit(await runTask(process.argv.slice(2)));
