// The document of the calls against the rules of a public linter; no server is started.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describeApi } from "../src/server/describe-api.ts";

const config = await createConfig({
  extends: ["recommended-strict"],
  rules: {
    // Paths that the specification gave (docs/decisions/0019).
    "no-ambiguous-paths": "off",
    "no-identical-paths": "error",
    "operation-operationId": "error",
    "operation-operationId-unique": "error",
    "operation-description": "off",
    "tag-description": "error",
    "no-invalid-media-type-examples": "error",
    "no-unused-components": "error",
    "security-defined": "error",
    "spec-strict-refs": "off",
  },
});
const problems = await lintFromString({ source: JSON.stringify(describeApi()), config });
for (const { severity, ruleId, message, location } of problems) {
  console.log(`${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ""})`);
}
process.exit(problems.length === 0 ? 0 : 1);
