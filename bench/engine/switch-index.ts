// Loaded into a product's processes with --import: while the file exists that WITHOUT_INDEX names, they record executions
// as they would without the page index. Pages that were recorded so aren't indexed later either.
import { registerHooks } from "node:module";

const isOff = `
  import { existsSync } from "node:fs";
  const isOff = () => existsSync(process.env.WITHOUT_INDEX);`;
const sources: Record<string, string> = {
  "/src/page-index/index-captures.ts": `${isOff}
    import * as real from "./index-captures.ts?real";
    export const indexCaptures = async (...given) => (isOff() ? [] : real.indexCaptures(...given));
    export const indexCapture = real.indexCapture;`,
  "/src/page-index/blocks-of.ts": `${isOff}
    import * as real from "./blocks-of.ts?real";
    export const blocksOf = (page) => (isOff() ? [] : real.blocksOf(page));
    export const { hashBlock, digestBlocks } = real;`,
  "/src/page-index/index-history.ts": `
    export * from "./index-history.ts?real";
    export const queueHistoryIndexing = async () => undefined;`,
};

registerHooks({
  load(url, context, nextLoad) {
    const source = Object.entries(sources).find(([path]) => url.endsWith(path))?.[1];
    return source === undefined ? nextLoad(url, context) : { format: "module", source, shortCircuit: true };
  },
});
