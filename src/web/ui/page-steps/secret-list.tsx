import { Button, IconButton } from "#web/ui/button.tsx";
import { FieldError } from "#web/ui/field-error.tsx";

export type Secret = { name: string; value: string };
type SecretListProps = {
  secrets: Secret[];
  onChange: (secrets: Secret[]) => void;
  error: string | undefined;
};

const cell =
  "h-8 w-full min-w-0 rounded-control border border-edge bg-surface px-2.5 font-mono text-sm placeholder:text-quiet";
const maxSecrets = 10;

/** What steps type without anybody seeing it. Saved values can be replaced, but not read. */
export function SecretList({ secrets, onChange, error }: SecretListProps) {
  const put = (at: number, part: Partial<Secret>) =>
    onChange(secrets.map((secret, i) => (i === at ? { ...secret, ...part } : secret)));
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-sm font-medium">Secrets</legend>
      <p className="text-sm text-muted">
        Passwords that your steps type. They’re stored encrypted, never shown again and covered in the
        pictures of the steps.
      </p>
      {secrets.map((secret, i) => (
        // Rows have no id, so the index is the key.
        <div key={i} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-2">
          <input
            aria-label={`Name of secret ${i + 1}`}
            placeholder="password"
            value={secret.name}
            onChange={(event) => put(i, { name: event.target.value })}
            className={cell}
            autoComplete="off"
            spellCheck={false}
          />
          <input
            aria-label={`Value of secret ${i + 1}`}
            type="password"
            value={secret.value}
            onChange={(event) => put(i, { value: event.target.value })}
            className={cell}
            autoComplete="new-password"
          />
          <IconButton
            icon="close"
            label={`Remove secret ${i + 1}`}
            onClick={() => onChange(secrets.toSpliced(i, 1))}
          />
        </div>
      ))}
      {secrets.length < maxSecrets && (
        <Button
          size="sm"
          icon="plus"
          className="justify-self-start"
          onClick={() => onChange([...secrets, { name: secrets.length === 0 ? "password" : "", value: "" }])}
        >
          Add a secret
        </Button>
      )}
      <FieldError error={error} />
    </fieldset>
  );
}
