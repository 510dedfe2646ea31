// A worker that takes a check and never comes back: it says so, and waits to be killed.

import { startCapturing } from "../capturing.ts";
import { compose } from "../compose.ts";
import { readConfig } from "../config.ts";
import { createLogger } from "../logger.ts";

const app = await compose(readConfig(process.env), createLogger("silent"));
await startCapturing(app, {
  confirmAfterMs: 0,
  capture() {
    process.stdout.write("capturing\n");
    return new Promise(() => undefined);
  },
});
