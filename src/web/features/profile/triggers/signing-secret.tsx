import { useState } from "react";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Field } from "#web/ui/field.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { type Channels, useChannelAction } from "../channels/channels.ts";

/** The secret with which receivers verify the signatures of triggers; shown once, when it is created. */
export function SigningSecret({ signing }: { signing: Channels["signing"] }) {
  const [secret, setSecret] = useState("");
  const renew = useChannelAction(async () => {
    const answer = await call("POST /api/me/signing-secret");
    setSecret(answer.secret);
    return answer;
  });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-48 flex-1 gap-0.5">
          <p className="text-sm font-medium">Signing secret of HTTP triggers</p>
          <p className="text-sm text-muted">
            Triggers and messages to your webhook are signed by Standard Webhooks: any of its libraries
            verifies them with this secret. X-Watchglass-Signature is t=seconds,v1=HMAC-SHA256 of seconds, a
            dot and the body.{" "}
            {signing.since && (
              <>
                The current secret was created <Time at={signing.since} />.
              </>
            )}
          </p>
        </div>
        <Button size="sm" busy={renew.isPending} onClick={() => renew.mutate()}>
          {signing.since ? "Create a new one" : "Create one"}
        </Button>
      </div>
      {secret && (
        <Field
          label="New secret"
          hint="Copy it now: it won’t be shown again."
          value={secret}
          readOnly
          mono
          after={<CopyButton value={secret} label="Copy the secret" />}
        />
      )}
    </div>
  );
}
