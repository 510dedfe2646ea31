import { useQuery } from "@tanstack/react-query";
import type { GroupSettings } from "#contract/job.ts";
import type { Plan } from "#plans/plans.ts";
import { call } from "#web/api/call.ts";
import { FieldError } from "#web/ui/field-error.tsx";
import { PlanNote } from "#web/ui/plan-note.tsx";
import { Select } from "#web/ui/select.tsx";
import type { JobFields, Problems } from "./fields.ts";

// The contract says this too, but its schemas do not ship to the browser.
const none = "none";

type IdentityChoiceProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  plan: Plan;
  /** The defaults that the job inherits from its group. */
  inherited?: Pick<GroupSettings, "identity" | "sharesSignedIn"> | null | undefined;
};

/** Selects who a page is captured as, and whether links and feeds may show what is behind the sign-in. */
export function IdentityChoice({ fields, problems, put, plan, inherited = null }: IdentityChoiceProps) {
  const list = useQuery({
    queryKey: ["identities"],
    queryFn: ({ signal }) => call("GET /api/identities", undefined, { signal }),
  });
  if (!plan.identities && fields.identity === "")
    return <PlanNote what="Capturing pages behind a sign-in" includes={(other) => other.identities} />;
  const known = list.data?.identities ?? [];
  const nameOf = (id: string) => known.find((each) => each.id === id)?.name ?? "an identity";
  const groupIdentity = inherited?.identity && inherited.identity !== none ? inherited.identity : null;
  const isUnknown =
    list.data && ![none, ""].includes(fields.identity) && !known.some(({ id }) => id === fields.identity);
  return (
    <div className="grid grid-cols-1 gap-4">
      <Select
        label="Captured as"
        value={fields.identity}
        onChange={(identity) => put({ identity })}
        options={[
          {
            value: "",
            label: groupIdentity ? `Group default: ${nameOf(groupIdentity)}` : "Nobody: not signed in",
          },
          ...(groupIdentity || fields.identity === none
            ? [{ value: none, label: "Nobody: not signed in" }]
            : []),
          ...known.map(({ id, name, state }) => ({
            value: id,
            label: state === "signed-out" ? `${name} (signed out)` : name,
          })),
          ...(isUnknown
            ? [{ value: fields.identity, label: "An identity that doesn’t exist any more" }]
            : []),
        ]}
      />
      <FieldError error={problems.identity} />
      {list.isError && (
        <p className="text-sm text-removed">We couldn’t load your identities: {list.error.message}</p>
      )}
      <p className="text-sm text-muted">
        {list.data && known.length === 0
          ? "To watch a page behind a sign-in, add an identity in your profile."
          : "A page that isn’t shown to somebody who is signed in is never compared: we sign in again, and if that fails, you get one alert and the identity’s jobs wait."}
      </p>
      <Select
        label="Share links, public reports and feeds"
        value={fields.sharesSignedIn}
        onChange={(value) => put({ sharesSignedIn: value as JobFields["sharesSignedIn"] })}
        options={[
          {
            value: "",
            label: inherited?.sharesSignedIn ? "Group default: allowed" : "Never what is behind a sign-in",
          },
          { value: "yes", label: "Allowed, also what is behind a sign-in" },
          ...(inherited?.sharesSignedIn || fields.sharesSignedIn === "no"
            ? [{ value: "no", label: "Never what is behind a sign-in" }]
            : []),
        ]}
      />
    </div>
  );
}

/** Who the page is captured as, in a few words. */
export function identityNote({ identity }: Pick<JobFields, "identity">, inherited?: string | null): string {
  if (identity === none) return "not signed in";
  if (identity !== "") return "as an identity";
  return inherited && inherited !== none ? "group default" : "not signed in";
}
