import { Jobs } from "#web/features/jobs/jobs.tsx";
import { lazyPart } from "#web/ui/lazy-part.ts";
import { LoadBoundary } from "#web/ui/load-boundary.tsx";
import { useAddress } from "#web/ui/use-address.ts";

const Viewer = lazyPart("viewer", async () => (await import("#web/features/viewer/viewer.tsx")).Viewer);
const ShareDialog = lazyPart(
  "share",
  async () => (await import("#web/features/share/share-dialog.tsx")).ShareDialog,
);

/** The jobs view, with the viewer and the share dialog above it when the address names them. */
export function JobsScreen() {
  const [search, change] = useAddress();
  const jobId = search.get("job");
  const executionId = search.get("execution");
  const shared = search.get("dialog") === "share" ? search.get("share") : null;
  return (
    <>
      <Jobs />
      <LoadBoundary page={executionId ?? ""}>
        {jobId && executionId && <Viewer key={jobId} jobId={jobId} executionId={executionId} />}
        {jobId && shared && (
          <ShareDialog
            jobId={jobId}
            executionId={shared}
            fromId={search.get("from") ?? undefined}
            onClose={() => change({ dialog: null, share: null, from: null }, true)}
          />
        )}
      </LoadBoundary>
    </>
  );
}
