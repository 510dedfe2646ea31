import { useState } from "react";
import type { OpinionEndpoint } from "#contract/second-opinion.ts";
import { CallError, call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";

type EndpointDialogProps = {
  /** Null to set up the first. */
  endpoint: OpinionEndpoint | null;
  onSaved: () => void;
  onClose: () => void;
};

/** Asks for the address, key and model, and how much of it may be used. */
export function EndpointDialog({ endpoint, onSaved, onClose }: EndpointDialogProps) {
  const [fields, setFields] = useState(fieldsOf(endpoint));
  const [problem, setProblem] = useState<{ field: string; message: string }>();
  const put = (part: Partial<Fields>) => {
    setFields((last) => ({ ...last, ...part }));
    setProblem(undefined);
  };
  const { busy, submit } = useSubmit(async () => {
    const wrong = numberFields.find((name) => Number.isNaN(toNumber(fields[name])));
    if (wrong) return setProblem({ field: wrong, message: "Enter a number, such as 0.15 or 1000." });
    try {
      await call("PUT /api/second-opinion", { body: toBody(fields) });
      onSaved();
      onClose();
    } catch (error) {
      const field = error instanceof CallError ? error.field : undefined;
      const message = (error as Error).message || "We couldn’t reach the server. Nothing was saved.";
      setProblem({ field: field ?? "", message });
    }
  });
  const textField = (name: TextField) => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) => put({ [name]: event.target.value }),
    autoComplete: "off",
    spellCheck: false,
    ...(problem?.field === name && { error: problem.message }),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Model for the second opinion"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form="endpoint" look="primary" busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <form id="endpoint" onSubmit={submit} noValidate className="mt-2 grid grid-cols-1 gap-4">
        <Field
          label="Address"
          mono
          placeholder="http://localhost:11434/v1"
          hint="The address of an OpenAI-compatible API, up to /v1. The server’s operator has to allow addresses that aren’t public."
          {...textField("url")}
        />
        <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
          <Field label="Model" mono placeholder="llama3.1" {...textField("model")} />
          <Field
            label="API key"
            type="password"
            placeholder={endpoint?.hasKey ? "unchanged" : "none"}
            {...textField("key")}
            autoComplete="new-password"
          />
        </div>
        <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
          <Field label="Calls per month" inputMode="numeric" {...textField("maxCalls")} />
          <Field label="Calls per job and month" inputMode="numeric" {...textField("maxCallsPerJob")} />
          <Field label="Tokens per month" inputMode="numeric" {...textField("maxTokens")} />
          <Field
            label="Wait at most (seconds)"
            inputMode="numeric"
            hint="Then an alert is sent without an opinion. Important and critical alerts don’t wait."
            {...textField("waitSeconds")}
          />
          <Field
            label="Input price"
            inputMode="decimal"
            placeholder="unknown"
            hint="Per million tokens"
            {...textField("inputPrice")}
          />
          <Field
            label="Output price"
            inputMode="decimal"
            placeholder="unknown"
            hint="Per million tokens"
            {...textField("outputPrice")}
          />
        </div>
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={fields.isOn}
            onChange={(event) => put({ isOn: event.target.checked })}
            className="size-4 accent-accent-text"
          />
          Jobs may use it
        </label>
        <p className="text-sm text-muted">
          You can leave this off at first, and try the model on the history of a job in its settings.
        </p>
        {problem && !Object.hasOwn(fields, problem.field) && (
          <p role="alert" className="text-sm text-removed">
            {problem.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}

type Fields = ReturnType<typeof fieldsOf>;
type TextField = Exclude<keyof Fields, "isOn">;

const fieldsOf = (endpoint: OpinionEndpoint | null) => ({
  url: endpoint?.url ?? "",
  model: endpoint?.model ?? "",
  key: "",
  isOn: endpoint?.isOn ?? false,
  maxCalls: String(endpoint?.maxCalls ?? 1_000),
  maxCallsPerJob: String(endpoint?.maxCallsPerJob ?? 100),
  maxTokens: String(endpoint?.maxTokens ?? 1_000_000),
  waitSeconds: String(endpoint?.waitSeconds ?? 10),
  inputPrice: endpoint?.inputPrice?.toString() ?? "",
  outputPrice: endpoint?.outputPrice?.toString() ?? "",
});

const numberFields = [
  "maxCalls",
  "maxCallsPerJob",
  "maxTokens",
  "waitSeconds",
  "inputPrice",
  "outputPrice",
] as const satisfies TextField[];

/** Null for an empty field; a comma before three digits groups them, any other is a decimal point. */
function toNumber(text: string): number | null {
  const plain = text
    .trim()
    .replace(/(?<=[1-9]\d*),(?=\d{3}(?:\D|$))/g, "")
    .replace(",", ".");
  return plain === "" ? null : Number(plain);
}

function toBody(fields: Fields) {
  const { url, model, key, isOn } = fields;
  return {
    url,
    model,
    key: key || null,
    isOn,
    // An empty limit is the usual one.
    maxCalls: toNumber(fields.maxCalls) ?? undefined,
    maxCallsPerJob: toNumber(fields.maxCallsPerJob) ?? undefined,
    maxTokens: toNumber(fields.maxTokens) ?? undefined,
    waitSeconds: toNumber(fields.waitSeconds) ?? undefined,
    inputPrice: toNumber(fields.inputPrice),
    outputPrice: toNumber(fields.outputPrice),
  };
}
