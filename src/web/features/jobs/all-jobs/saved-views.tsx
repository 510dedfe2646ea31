import { useState } from "react";
import { useMe } from "#web/api/me.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { readViews, type SavedView, writeViews } from "./stored-views.ts";

type SavedViewsProps = {
  /** The filter as a query string. */
  current: string;
  onOpen: (query: string) => void;
  className?: string;
};

/** Named filters of this browser. A view's URL works in any browser, so it can be bookmarked or sent to a colleague. */
export function SavedViews({ current, onOpen, className }: SavedViewsProps) {
  const { data: me } = useMe();
  const account = me?.id ?? "";
  const [views, setViews] = useState<SavedView[]>(() => readViews(account));
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState("");
  const open = views.find(({ query }) => query === current);
  const save = (next: SavedView[]) => {
    setViews(next);
    writeViews(account, next);
  };
  return (
    <div className={`flex flex-wrap items-center gap-1 ${className ?? ""}`}>
      {views.length > 0 && (
        <Select
          label="Saved views"
          hideLabel
          className="w-44"
          value={open?.name ?? ""}
          onChange={(chosen) => {
            const view = views.find((one) => one.name === chosen);
            if (view) onOpen(view.query);
          }}
          placeholder="Saved views"
          options={views.map((view) => ({ value: view.name, label: view.name }))}
        />
      )}
      {open ? (
        <IconButton
          icon="trash"
          label={`Delete the view ${open.name}`}
          onClick={() => save(views.filter((view) => view !== open))}
        />
      ) : (
        current !== "" && (
          <Button size="sm" onClick={() => setNaming(true)}>
            Save view
          </Button>
        )
      )}
      {isNaming && (
        <Dialog
          open
          onClose={() => setNaming(false)}
          title="Save view"
          description="Saves the search, filters and sorting in this browser."
          footer={
            <>
              <Button onClick={() => setNaming(false)}>Close</Button>
              <Button
                look="primary"
                disabled={name.trim() === ""}
                onClick={() => {
                  const saved = { name: name.trim(), query: current };
                  save([...views.filter((view) => view.name !== saved.name), saved]);
                  setNaming(false);
                  setName("");
                }}
              >
                Save
              </Button>
            </>
          }
        >
          <Field
            label="Name"
            className="py-3"
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={60}
            autoComplete="off"
          />
        </Dialog>
      )}
    </div>
  );
}
