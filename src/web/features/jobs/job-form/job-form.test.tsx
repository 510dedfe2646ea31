import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { plans } from "#plans/plans.ts";
import { render } from "#web/testing/render.tsx";
import { emptyFields } from "./fields.ts";
import { JobForm } from "./job-form.tsx";

afterEach(() => vi.unstubAllGlobals());

test("the form shows a job's note with its label, its hint and its problem", async () => {
  vi.stubGlobal("fetch", async () => Response.error());
  const fields = { ...emptyFields("group", plans[0]), note: "For Ana" };
  const form = (problem?: string) => (
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <JobForm
        fields={fields}
        put={() => undefined}
        problems={problem ? { note: problem } : {}}
        groups={[]}
        plan={plans[0]}
        jobId={undefined}
        inherited={null}
        onPick={undefined}
      />
    </QueryClientProvider>
  );
  const readNote = () => {
    const label = [...document.querySelectorAll("label")].find(({ textContent }) => textContent === "Note");
    const field = document.getElementById(label?.htmlFor ?? "") as HTMLTextAreaElement;
    const description = document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;
    return [field.value, description, field.getAttribute("aria-invalid")];
  };
  const first = await render(form());
  expect(readNote()).toEqual(["For Ana", "Why you watch this page. Only you can see this.", null]);
  await first.unmount();
  const second = await render(form("At most 500 characters."));
  expect(readNote()).toEqual(["For Ana", "At most 500 characters.", "true"]);
  await second.unmount();
});
