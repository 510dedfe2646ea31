import { useState } from "react";
import { expect, test } from "vitest";
import { click, find, render } from "#web/testing/render.tsx";
import { maxNamedValues, type NamedValue } from "./named-value.ts";
import { NamedValueList } from "./named-value-list.tsx";

function Form() {
  const [headers, setHeaders] = useState<NamedValue[]>([]);
  return (
    <NamedValueList
      label="Headers"
      noun="header"
      addLabel="Add Header"
      values={headers}
      onChange={setHeaders}
    />
  );
}

const focused = () => document.activeElement?.getAttribute("aria-label");
const press = (label: string) => click(document.querySelector(`[aria-label="${label}"]`) as HTMLElement);

test("the focus goes to the name of each header that is added, and stays in the list when one is removed", async () => {
  const { unmount } = await render(<Form />);
  const add = find("button", "Add Header") as HTMLButtonElement;
  for (let i = 1; i <= maxNamedValues; i++) {
    await click(add);
    expect(focused()).toBe(`Name of header ${i}`);
  }
  expect(add.disabled).toBe(true);
  await press("Remove header 3");
  expect(focused()).toBe("Remove header 3");
  await press("Remove header 9");
  expect(document.activeElement).toBe(add);
  await unmount();
});
