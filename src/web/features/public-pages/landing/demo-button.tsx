import { useState } from "react";
import { useNavigate } from "react-router";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";

/** Signs in to the demo account, which watches the bundled site. */
export function DemoButton() {
  const navigate = useNavigate();
  const [problem, setProblem] = useState("");
  const { busy, submit } = useSubmit(async () => {
    try {
      await call("POST /api/auth/demo");
      await navigate("/dashboard");
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "We couldn’t open the demo.");
    }
  });
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-3">
      <Button type="submit" size="lg" busy={busy}>
        Demo
      </Button>
      <span role="alert" className="text-base text-removed empty:hidden">
        {problem}
      </span>
    </form>
  );
}
