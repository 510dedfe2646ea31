import { useEffect, useState } from "react";
import { useParams } from "react-router";
import { call } from "#web/api/call.ts";
import { type Message, useMessageBox } from "#web/ui/message-box.tsx";
import { AuthLayout } from "./auth-layout.tsx";
import { activationFailure, activationSuccess } from "./outcomes.ts";

// A token works only once, so its outcome is stored: a reload shows it again instead of using the token again.
const outcomes = new Map<string, Promise<Message>>();

function activate(token: string): Promise<Message> {
  const stored = sessionStorage.getItem(`activation:${token}`);
  if (stored) return Promise.resolve(JSON.parse(stored) as Message);
  return call("GET /api/registration/activate/:token", { params: { token } }).then((answer) => {
    const outcome = activationSuccess(answer);
    sessionStorage.setItem(`activation:${token}`, JSON.stringify(outcome));
    return outcome;
  }, activationFailure);
}

function outcomeOf(token: string): Promise<Message> {
  const running = outcomes.get(token) ?? activate(token);
  outcomes.set(token, running);
  return running;
}

/** Activates the account on load and reports how it went. */
export function Activate() {
  const { token = "" } = useParams();
  const [finished, setFinished] = useState(false);
  const { box, show } = useMessageBox();
  useEffect(() => {
    let isMounted = true;
    void outcomeOf(token).then((outcome) => {
      if (!isMounted) return;
      setFinished(true);
      show(outcome);
    });
    return () => {
      isMounted = false;
    };
  }, [token, show]);
  return (
    <AuthLayout title="Account activation">
      <output className="text-lg text-muted">{finished ? "Finished" : "Please wait..."}</output>
      {box}
    </AuthLayout>
  );
}
