import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { click, eventually, find, render, type } from "#web/testing/render.tsx";
import { Proxies } from "./proxies.tsx";
import type { PageProxy } from "./proxy.ts";

afterEach(() => vi.unstubAllGlobals());

const berlin: PageProxy = {
  id: "1",
  name: "Berlin",
  isShared: false,
  protocol: "socks5",
  host: "2001:db8::1",
  port: 1080,
  username: "ana",
  hasPassword: true,
  looksUpNames: false,
  echoUrl: null,
  lastSuccessAt: "2026-01-01T00:00:00.000Z",
  latencyMs: 42,
  address: "198.51.100.7",
  problem: null,
  failedAt: null,
  jobs: 2,
  groups: 1,
};
const shared = { ...berlin, id: "2", name: "Tokyo", isShared: true, host: null, port: null, username: "" };
const down = { problem: "It is down: it did not accept the username and password.", lastSuccessAt: null };

type Refusal = { status?: number; message: string; field?: string };

async function show(proxies: PageProxy[], { list, write }: { list?: Refusal; write?: Refusal } = {}) {
  const calls: [string, unknown][] = [];
  const refuse = ({ status = 400, ...refusal }: Refusal) =>
    Response.json({ code: "INVALID_INPUT", ...refusal }, { status });
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    calls.push([`${init.method} ${url}`, typeof init.body === "string" ? JSON.parse(init.body) : undefined]);
    if (init.method === "GET")
      return list ? refuse(list) : Response.json({ proxies, mayLookUpNames: false, hasEchoUrl: false });
    return write ? refuse(write) : Response.json({ code: "OK", message: "Done.", proxy: berlin });
  });
  const screen = await render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Proxies />
    </QueryClientProvider>,
  );
  const names = () => calls.map(([name]) => name);
  return { ...screen, calls, names };
}

const openNew = async () => {
  await click(find("button", "New proxy"));
  await eventually(() => find("button", "Add proxy"));
};

function dialogField(name: string): HTMLInputElement {
  const labels = [...document.querySelectorAll<HTMLLabelElement>("[role=dialog] label")];
  const label = labels.find((each) => each.textContent === name);
  const field = label && document.getElementById(label.htmlFor);
  if (!field) throw new Error(`no field ${name} among: ${labels.map((each) => each.textContent).join()}`);
  return field as HTMLInputElement;
}

test("without proxies the screen says what one is for; a list that can't be loaded can be tried again", async () => {
  const empty = await show([]);
  expect(empty.host.textContent).not.toContain("couldn’t load");
  await eventually(() => expect(empty.host.textContent).toContain("No proxies yet"));
  await empty.unmount();
  const failed = await show([], { list: { status: 500, message: "The database is away." } });
  await eventually(() => expect(failed.host.textContent).toContain("We couldn’t load the proxies"));
  expect(failed.host.textContent).toContain("The database is away.");
  const before = failed.calls.length;
  await click(find("button", "Try again"));
  await eventually(() => expect(failed.calls.length).toBe(before + 1));
  await failed.unmount();
});

test("a proxy shows its address without its password, its health and who uses it; the operator's can only be tested", async () => {
  const { host, names, unmount } = await show([berlin, { ...shared, ...down }]);
  await eventually(() => expect(host.textContent).toContain("Berlin socks5://ana@[2001:db8::1]:1080"));
  const [own, operators] = [...host.querySelectorAll("li")].map((row) => row.textContent ?? "");
  expect(own).toMatch(/worked .* · 42 ms · seen as 198\.51\.100\.7 · used by 2 jobs and 1 group/);
  expect(operators).toContain("Tokyo socks5, by the operator");
  expect(operators).toContain("It is down: it did not accept the username and password.");
  expect(operators).not.toMatch(/Edit|Delete/);
  await click(find("button", "Test the proxy Tokyo"));
  await click(find("button", "Delete the proxy Berlin"));
  await eventually(() =>
    expect(names()).toEqual(expect.arrayContaining(["POST /api/proxies/2/test", "DELETE /api/proxies/1"])),
  );
  await unmount();
});

test("a new proxy is sent as it was entered; editing one leaves its password unless a new one is given", async () => {
  const { calls, host, unmount } = await show([berlin]);
  await eventually(() => expect(host.textContent).toContain("Berlin"));
  await openNew();
  for (const [label, text] of [
    ["Name", "Oslo"],
    ["Proxy", "proxy.example.com"],
    ["Port", "3128"],
    ["Username", "bo"],
    ["Password", "s3cret"],
  ] as const)
    await type(dialogField(label), text);
  expect(dialogField("Password").type).toBe("password");
  await click(find("button", "Add proxy"));
  const created = {
    name: "Oslo",
    protocol: "socks5",
    host: "proxy.example.com",
    port: 3128,
    username: "bo",
    password: "s3cret",
    looksUpNames: false,
    echoUrl: null,
  };
  await eventually(() => expect(calls).toContainEqual(["POST /api/proxies", created]));
  await click(find("button", "Edit the proxy Berlin"));
  expect([dialogField("Password").value, dialogField("Password").placeholder]).toEqual(["", "unchanged"]);
  await type(dialogField("Name"), "Potsdam");
  await click(find("button", "Save proxy"));
  await eventually(() =>
    expect(calls).toContainEqual([
      "PUT /api/proxies/1",
      expect.objectContaining({ name: "Potsdam", host: "2001:db8::1", password: null }),
    ]),
  );
  await unmount();
});

test("a refusal stands at its field, and what was entered stays", async () => {
  const message = "The name does not lead to a public address.";
  const { host, unmount } = await show([], { write: { message, field: "host" } });
  await eventually(() => expect(host.textContent).toContain("No proxies yet"));
  await openNew();
  await type(dialogField("Proxy"), "proxy.internal");
  await click(find("button", "Add proxy"));
  await eventually(() => expect(document.body.textContent).toContain(message));
  const field = dialogField("Proxy");
  expect([field.value, field.getAttribute("aria-invalid")]).toEqual(["proxy.internal", "true"]);
  await unmount();
});
