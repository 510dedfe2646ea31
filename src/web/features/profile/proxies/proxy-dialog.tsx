import { useState } from "react";
import { CallError, call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";
import type { PageProxy } from "./proxy.ts";

const protocols = [
  { value: "http", label: "HTTP" },
  { value: "https", label: "HTTPS" },
  { value: "socks5", label: "SOCKS5" },
] as const;
type Protocol = (typeof protocols)[number]["value"];

type ProxyDialogProps = {
  /** Null for a new one. */
  proxy: PageProxy | null;
  mayLookUpNames: boolean;
  hasEchoUrl: boolean;
  onSaved: () => void;
  onClose: () => void;
};

/** Asks for a proxy's name, address and credentials. */
export function ProxyDialog({ proxy, mayLookUpNames, hasEchoUrl, onSaved, onClose }: ProxyDialogProps) {
  const [fields, setFields] = useState(fieldsOf(proxy));
  const [problem, setProblem] = useState<{ field: string; message: string }>();
  const put = (part: Partial<Fields>) => {
    setFields((last) => ({ ...last, ...part }));
    setProblem(undefined);
  };
  const { busy, submit } = useSubmit(async () => {
    const { password, port, echoUrl, ...others } = fields;
    const body = {
      ...others,
      port: Number(port),
      password: password || null,
      echoUrl: echoUrl.trim() || null,
    };
    try {
      if (proxy) await call("PUT /api/proxies/:proxyId", { params: { proxyId: proxy.id }, body });
      else await call("POST /api/proxies", { body });
      onSaved();
      onClose();
    } catch (error) {
      const field = error instanceof CallError ? error.field : undefined;
      const message = (error as Error).message || "We couldn’t reach the server. Nothing was saved.";
      setProblem({ field: field ?? "", message });
    }
  });
  const problemOf = (field: string) =>
    problem?.field === field ? { error: problem.message } : ({} as const);
  const named = ["name", "protocol", "host", "port", "username", "password", "looksUpNames", "echoUrl"];
  return (
    <Dialog
      open
      onClose={onClose}
      title={proxy ? `Proxy ${proxy.name}` : "New proxy"}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form="proxy" look="primary" busy={busy}>
            {proxy ? "Save proxy" : "Add proxy"}
          </Button>
        </>
      }
    >
      <form id="proxy" onSubmit={submit} noValidate className="mt-2 grid grid-cols-1 gap-4">
        <Field
          label="Name"
          placeholder="Berlin"
          value={fields.name}
          {...problemOf("name")}
          autoComplete="off"
          onChange={(event) => put({ name: event.target.value })}
        />
        <ProxyFields
          fields={fields}
          put={put}
          problemOf={problemOf}
          hasPassword={proxy?.hasPassword ?? false}
        />
        <Field
          label="Echo URL"
          mono
          placeholder={hasEchoUrl ? "the server’s" : "https://address.example.com/"}
          hint="A page that answers with its visitor’s address. “Test” requests it and shows you the address that sites see."
          value={fields.echoUrl}
          {...problemOf("echoUrl")}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => put({ echoUrl: event.target.value })}
        />
        {(mayLookUpNames || fields.looksUpNames) && (
          <label className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={fields.looksUpNames}
              onChange={(event) => put({ looksUpNames: event.target.checked })}
              className="size-4 accent-accent-text"
            />
            The proxy looks up the names of sites
          </label>
        )}
        {problem &&
          (!named.includes(problem.field) || ["protocol", "looksUpNames"].includes(problem.field)) && (
            <p role="alert" className="text-sm text-removed">
              {problem.message}
            </p>
          )}
      </form>
    </Dialog>
  );
}

type Fields = ReturnType<typeof fieldsOf>;

const fieldsOf = (proxy: PageProxy | null) => ({
  name: proxy?.name ?? "",
  protocol: (proxy?.protocol ?? "socks5") as Protocol,
  host: proxy?.host ?? "",
  port: proxy?.port ? String(proxy.port) : "",
  username: proxy?.username ?? "",
  password: "",
  looksUpNames: proxy?.looksUpNames ?? false,
  echoUrl: proxy?.echoUrl ?? "",
});

type ProxyFieldsProps = {
  fields: Fields;
  put: (part: Partial<Fields>) => void;
  problemOf: (field: string) => { error?: string };
  hasPassword: boolean;
};

function ProxyFields({ fields, put, problemOf, hasPassword }: ProxyFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-[6.5rem_minmax(0,1fr)_5rem]">
        <Select
          label="Protocol"
          value={fields.protocol}
          onChange={(value) => put({ protocol: value as Protocol })}
          options={protocols}
        />
        <Field
          label="Proxy"
          mono
          placeholder="proxy.example.com"
          value={fields.host}
          {...problemOf("host")}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => put({ host: event.target.value })}
        />
        <Field
          label="Port"
          inputMode="numeric"
          placeholder="1080"
          value={fields.port}
          {...problemOf("port")}
          autoComplete="off"
          onChange={(event) => put({ port: event.target.value })}
        />
      </div>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field
          label="Username"
          value={fields.username}
          {...problemOf("username")}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => put({ username: event.target.value })}
        />
        <Field
          label="Password"
          type="password"
          placeholder={hasPassword ? "unchanged" : ""}
          value={fields.password}
          {...problemOf("password")}
          autoComplete="new-password"
          onChange={(event) => put({ password: event.target.value })}
        />
      </div>
    </>
  );
}
