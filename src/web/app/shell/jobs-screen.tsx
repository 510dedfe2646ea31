import { useState } from "react";
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
  // A dialog above the viewer comes after it: of two, the later one has the focus and the screen reader.
  const [isViewing, setViewing] = useState(false);
  const hasGround = isViewing || !executionId;
  return (
    <>
      <Jobs showsDialogs={hasGround} />
      <LoadBoundary page={executionId ?? ""}>
        {jobId && executionId && (
          <Viewer key={jobId} jobId={jobId} executionId={executionId} onShown={setViewing} />
        )}
      </LoadBoundary>
      <LoadBoundary page={shared ?? ""}>
        {jobId && shared && hasGround && (
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
