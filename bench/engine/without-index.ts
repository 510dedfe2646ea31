// Loaded into a product's processes with --import: they record executions as they would without the page index.
import { registerHooks } from "node:module";

const replaced: Record<string, string> = {
  "/src/page-index/index-captures.ts": `
    export const indexCaptures = async () => [];
    export const indexCapture = async () => 0;`,
  "/src/page-index/blocks-of.ts": `
    export const blocksOf = () => [];
    export const hashBlock = () => Buffer.alloc(16);
    export const digestBlocks = () => Buffer.alloc(32);`,
};

registerHooks({
  load(url, context, nextLoad) {
    const source = Object.entries(replaced).find(([path]) => url.endsWith(path))?.[1];
    return source === undefined ? nextLoad(url, context) : { format: "module", source, shortCircuit: true };
  },
});
