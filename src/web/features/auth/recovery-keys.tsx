import { useEffect, useState } from "react";
import { call, type ReplyOf } from "#web/api/call.ts";
import { countOf } from "#web/ui/count-of.ts";
import { Time } from "#web/ui/time/time.tsx";

type Key = ReplyOf<"GET /api/recover/:token">["keys"][number];

/** The API keys that keep working after a password reset; empty until the server has responded. */
export function useRecoveryKeys(token: string | undefined): Key[] {
  const [keys, setKeys] = useState<Key[]>([]);
  useEffect(() => {
    if (!token) return;
    const controller = new AbortController();
    // An invalid link is reported on submit, together with what to do about it.
    call("GET /api/recover/:token", { params: { token } }, { signal: controller.signal }).then(
      (answer) => setKeys(answer.keys),
      () => undefined,
    );
    return () => controller.abort();
  }, [token]);
  return keys;
}

type RecoveryKeysProps = { keys: Key[]; revoke: boolean; onChange: (revoke: boolean) => void };

/** Says which keys still work after the password has changed, and offers to revoke them. */
export function RecoveryKeys({ keys, revoke, onChange }: RecoveryKeysProps) {
  if (keys.length === 0) return null;
  return (
    <fieldset className="grid gap-3 rounded-control border border-line bg-surface p-4">
      <legend className="sr-only">API keys</legend>
      <p className="text-sm">
        <span className="font-medium">
          {countOf(keys.length, "API key")} {keys.length === 1 ? "keeps" : "keep"} working.
        </span>{" "}
        Programs that use an API key don’t need your password. Revoke {keys.length === 1 ? "it" : "them"} if
        somebody else may have used your account.
      </p>
      <ul className="grid max-h-52 gap-2 overflow-y-auto text-sm">
        {keys.map(({ name, scope, createdAt, lastUsedAt }) => (
          <li key={`${name} ${createdAt}`}>
            <span className="font-medium wrap-anywhere">{name}</span>{" "}
            <span className="text-muted">
              {scope} ·{" "}
              {lastUsedAt ? (
                <>
                  last used <Time at={lastUsedAt} />
                </>
              ) : (
                "never used"
              )}
            </span>
          </li>
        ))}
      </ul>
      <label className="flex items-start gap-2 text-sm font-medium">
        <input
          type="checkbox"
          checked={revoke}
          onChange={({ target }) => onChange(target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-accent-text"
        />
        Revoke {keys.length === 1 ? "this API key" : `all ${keys.length} API keys`} too
      </label>
    </fieldset>
  );
}
