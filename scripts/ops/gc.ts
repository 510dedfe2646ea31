import { collectOrphans } from "#retention/collect-orphans.ts";
import { StartError } from "#server/startup/start-error.ts";
import { withProduct } from "./open-product.ts";

export async function gc(args: string[]): Promise<boolean> {
  const dryRun = args.includes("--dry-run");
  // A mistyped argument must not delete anything.
  if (args.length > 0 && !dryRun) throw new StartError("npm run ops -- gc [--dry-run]");
  return withProduct(async ({ db, jobs: { blobs } }) => {
    const { seen, orphans, bytes } = await collectOrphans(
      { db, blobs },
      {
        dryRun,
        onProgress: ({ seen, orphans }) =>
          process.stderr.write(`\r${seen} captures checked, ${orphans} unused`),
      },
    );
    process.stderr.write("\n");
    const verb = dryRun ? "would be removed" : "were removed";
    console.log(`${orphans} of ${seen} captures belong to nothing; ${(bytes / 1e6).toFixed(1)} MB ${verb}.`);
    return true;
  });
}
