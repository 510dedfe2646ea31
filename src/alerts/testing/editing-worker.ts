// Adds the pages that joined a message to it; a test kills it before that is recorded.

import { readConfig } from "#server/config.ts";
import { createLogger } from "#server/observability/logger.ts";
import { compose } from "#server/startup/compose.ts";
import { editAlert } from "../edit-alert.ts";

const app = await compose(readConfig(process.env), createLogger("silent"));
await editAlert(app.alerts, { deliveryId: process.argv[2] ?? "", attempts: 0 });
