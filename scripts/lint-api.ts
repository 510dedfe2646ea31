// Checks the OpenAPI document with the recommended rules of two public linters, Spectral and Redocly, without starting
// a server.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { describeApi } from "../src/server/openapi/describe-api.ts";

const source = JSON.stringify(
  describeApi({ baseUrl: "https://watchglass.example", supportEmail: "support@watchglass.example" }),
);
/**
 * The specification fixes this path and others that start with `/api/jobs/{id}/`. No request is ambiguous: a job's id is
 * a UUID, and the router prefers the fixed word (docs/decisions/0019-inherited-shapes.md).
 */
const specifiedPath = "`/api/jobs/groups/{groupId}`";

async function lintWithSpectral(): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, "recommended"]] });
  const results = await linter.run(source);
  return results.map(({ code, message, path }) => `spectral ${code}: ${message} (${path.join("/")})`);
}

async function lintWithRedocly(): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      "no-identical-paths": "error",
      "operation-operationId": "error",
      "operation-operationId-unique": "error",
      "operation-description": "error",
      "tag-description": "error",
      "no-invalid-media-type-examples": "error",
      "no-unused-components": "error",
      "security-defined": "error",
    },
  });
  const problems = await lintFromString({ source, config });
  return problems
    .filter(({ ruleId, message }) => ruleId !== "no-ambiguous-paths" || !message.includes(specifiedPath))
    .map(({ ruleId, message, location }) => `redocly ${ruleId}: ${message} (${location[0]?.pointer ?? ""})`);
}

const problems = [...(await lintWithSpectral()), ...(await lintWithRedocly())];
for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);
