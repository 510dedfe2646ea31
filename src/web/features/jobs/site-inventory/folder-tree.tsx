import { useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { useSiteFolders } from "./use-site.ts";

type TreeProps = { jobId: string; below: string; chosen: string; onChoose: (below: string) => void };

/** The folders of a site with how many addresses each has; one that is opened shows those inside it. */
export function FolderTree({ jobId, below, chosen, onChoose }: TreeProps) {
  const { data, error, refetch } = useSiteFolders(jobId, below, true);
  if (error && !data)
    return (
      <Failed title="We couldn’t load the folders" action="Try again" onAction={() => void refetch()}>
        {error.message || "We couldn’t reach the server."}
      </Failed>
    );
  if (!data) return <Skeleton className="m-2 h-16" />;
  return (
    <ul className={cx("text-sm", below !== "" && "ms-4")}>
      {data.folders.map((folder) => (
        <Folder
          key={folder.path}
          jobId={jobId}
          folder={folder}
          chosen={chosen}
          onChoose={onChoose}
          startsOpen={below === "" && data.folders.length === 1}
        />
      ))}
      {data.isCut && (
        <li className="px-2 py-1 text-muted">There are more folders: search the table for them.</li>
      )}
      {data.folders.length === 0 && <li className="px-2 py-1 text-muted">No folders inside.</li>}
    </ul>
  );
}

type FolderProps = Omit<TreeProps, "below"> & {
  folder: { path: string; name: string; pages: number };
  startsOpen: boolean;
};

function Folder({ jobId, folder: { path, name, pages }, chosen, onChoose, startsOpen }: FolderProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <li>
      <div className={cx("flex items-center gap-1 rounded-control pe-2", chosen === path && "bg-fill")}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`Folders in ${name}`}
          onClick={() => setOpen(!isOpen)}
          className="rounded-control p-1.5 text-muted hover:bg-hover hover:text-ink"
        >
          <Icon name={isOpen ? "chevronDown" : "chevronRight"} />
        </button>
        <button
          type="button"
          aria-pressed={chosen === path}
          onClick={() => onChoose(chosen === path ? "" : path)}
          className="flex min-w-0 flex-1 items-baseline justify-between gap-2 rounded-control py-1 text-start hover:underline"
        >
          <span className="font-mono text-xs wrap-anywhere">{name}</span>
          <span className="figures text-muted">{pages.toLocaleString("en")}</span>
        </button>
      </div>
      {isOpen && <FolderTree jobId={jobId} below={path} chosen={chosen} onChoose={onChoose} />}
    </li>
  );
}
