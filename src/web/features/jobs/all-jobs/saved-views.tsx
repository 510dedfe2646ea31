import { useState } from "react";
import { call } from "#web/api/call.ts";
import { useMe } from "#web/api/me.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";
import { useSavedViews, useViewAction } from "./use-saved-views.ts";

type SavedViewsProps = {
  /** The filter as a query string. */
  current: string;
  onOpen: (query: string) => void;
  className?: string;
};

/** Named filters of the account, on every device. A view's URL can also be bookmarked or sent to a colleague. */
export function SavedViews({ current, onOpen, className }: SavedViewsProps) {
  const { data: me } = useMe();
  const { data: views = [] } = useSavedViews(me?.id);
  const [isNaming, setNaming] = useState(false);
  const remove = useViewAction((viewId: string) =>
    call("DELETE /api/me/views/:viewId", { params: { viewId } }),
  );
  const open = views.find(({ query }) => query === current);
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
          onClick={() => remove.mutate(open.id)}
        />
      ) : (
        current !== "" && (
          <Button size="sm" onClick={() => setNaming(true)}>
            Save view
          </Button>
        )
      )}
      {isNaming && <NameDialog query={current} onClose={() => setNaming(false)} />}
    </div>
  );
}

function NameDialog({ query, onClose }: { query: string; onClose: () => void }) {
  const [name, setName] = useState("");
  const save = useViewAction((body: { name: string; query: string }) => call("PUT /api/me/views", { body }));
  const { busy, submit } = useSubmit(async () => {
    await save.mutateAsync({ name, query }).then(onClose, () => {});
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Save view"
      description="Saves the search, filters and sorting in your account."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form="save-view" look="primary" busy={busy} disabled={name.trim() === ""}>
            Save
          </Button>
        </>
      }
    >
      <form id="save-view" onSubmit={submit}>
        <Field
          label="Name"
          className="py-3"
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={60}
          autoComplete="off"
        />
      </form>
    </Dialog>
  );
}
