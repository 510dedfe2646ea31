// `node scripts/noise-rule-docs.ts` writes the table of noise rules into docs/detection.md.
import { readFileSync, writeFileSync } from "node:fs";
import { describeNoiseRules } from "#detection/noise-rules/describe-noise-rules.ts";
import { noiseTables } from "#detection/noise-rules/noise-rules.ts";

const page = new URL("../docs/detection.md", import.meta.url);
const [start, end] = ["<!-- noise rules -->", "<!-- end of noise rules -->"];
const text = readFileSync(page, "utf8");
const [head = "", rest = ""] = text.split(start);
const [, tail = ""] = rest.split(end);
writeFileSync(page, `${head}${start}\n\n${describeNoiseRules(noiseTables)}\n\n${end}${tail}`);
