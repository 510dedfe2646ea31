import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { type Me, useRefreshMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Field } from "#web/ui/field.tsx";
import { Photo } from "./photo.tsx";

/** Names and photo to edit, email and UUID to copy. */
export function Identity({ me }: { me: Me }) {
  const [firstname, setFirstname] = useState(me.firstname);
  const [surname, setSurname] = useState(me.surname);
  const refreshMe = useRefreshMe();
  const update = useMutation({
    mutationFn: () => call("PATCH /api/me/update", { body: { firstname, surname } }),
    onSuccess: async ({ message }) => {
      // The server leaves the values of empty fields unchanged, so show those again.
      if (!firstname) setFirstname(me.firstname);
      if (!surname) setSurname(me.surname);
      await refreshMe();
      toast.success(message);
    },
    onError: (error) => toast.error(error.message || "We couldn’t update your profile. Nothing was changed."),
  });
  return (
    <Card title="You">
      <form
        noValidate
        className="grid gap-5 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!update.isPending) update.mutate();
        }}
      >
        <Photo me={me} />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))] gap-4">
          <Field
            label="First Name"
            autoComplete="given-name"
            placeholder={me.firstname}
            value={firstname}
            onChange={(event) => setFirstname(event.target.value)}
          />
          <Field
            label="Surname"
            autoComplete="family-name"
            placeholder={me.surname}
            value={surname}
            onChange={(event) => setSurname(event.target.value)}
          />
          <Fixed label="Email" value={me.email} />
          <Fixed label="UUID" value={me.id} />
        </div>
        <div>
          <Button type="submit" look="primary" busy={update.isPending}>
            Update
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Fixed({ label, value }: { label: string; value: string }) {
  return (
    <Field
      label={label}
      value={value}
      readOnly
      mono
      after={<CopyButton value={value} label={`Copy ${label}`} />}
    />
  );
}
