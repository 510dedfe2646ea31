import { useState } from "react";
import { Jobs } from "#web/features/jobs/jobs.tsx";
import { lazyPart } from "#web/ui/lazy-loading/lazy-part.ts";
import { LoadBoundary } from "#web/ui/lazy-loading/load-boundary.tsx";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";

const Viewer = lazyPart("viewer", async () => (await import("#web/features/viewer/viewer.tsx")).Viewer);
const ShareDialog = lazyPart(
  "share",
  async () => (await import("#web/features/share/share-dialog.tsx")).ShareDialog,
);

/** The jobs view, with the viewer and the share dialog on top of it when the URL names them. */
export function JobsScreen() {
  const [search, change] = useUrlParams();
  const jobId = search.get("job");
  const executionId = search.get("execution");
  const sharedId = search.get("dialog") === "share" ? search.get("share") : null;
  // A dialog on top of the viewer must mount after it: the later of the two gets the focus and the screen reader.
  const [isViewing, setViewing] = useState(false);
  const canShowDialogs = isViewing || !executionId;
  return (
    <>
      <Jobs showsDialogs={canShowDialogs} />
      <LoadBoundary page={executionId ?? ""}>
        {jobId && executionId && (
          <Viewer key={jobId} jobId={jobId} executionId={executionId} onShown={setViewing} />
        )}
      </LoadBoundary>
      <LoadBoundary page={sharedId ?? ""}>
        {jobId && sharedId && canShowDialogs && (
          <ShareDialog
            jobId={jobId}
            executionId={sharedId}
            fromId={search.get("from") ?? undefined}
            onClose={() => change({ dialog: null, share: null, from: null }, true)}
          />
        )}
      </LoadBoundary>
    </>
  );
}
