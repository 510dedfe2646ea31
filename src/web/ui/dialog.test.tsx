import { type ReactNode, useState } from "react";
import { expect, test } from "vitest";
import { click, eventually, find, render } from "../testing/render.tsx";
import { Dialog } from "./dialog.tsx";

function Screen({ children }: { children?: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && (
        <Dialog
          open
          title="Question"
          onClose={() => setOpen(false)}
          footer={<button type="button">Answer</button>}
        >
          {children}
        </Dialog>
      )}
    </>
  );
}

test("a dialog focuses its first field and returns the focus to its opener", async () => {
  const { unmount } = await render(
    <Screen>
      <input aria-label="Name" />
    </Screen>,
  );
  const opener = find("button", "Open");
  opener.focus();
  await click(opener);
  const field = document.querySelector<HTMLInputElement>("input[aria-label=Name]");
  await eventually(() => expect(document.activeElement).toBe(field));
  await click(document.querySelector("[aria-label='Close dialog']") as HTMLElement);
  await eventually(() => expect(document.activeElement).toBe(opener));
  expect(document.querySelector("[role=dialog]")).toBeNull();
  await unmount();
});

test("a dialog without fields focuses its first button; with radio buttons, the checked one", async () => {
  const first = await render(<Screen />);
  await click(find("button", "Open"));
  await eventually(() => expect(document.activeElement).toBe(find("button", "Answer")));
  await first.unmount();
  const second = await render(
    <Screen>
      <input type="radio" name="a" readOnly />
      <input type="radio" name="a" aria-label="Chosen" checked readOnly />
    </Screen>,
  );
  await click(find("button", "Open"));
  await eventually(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Chosen"));
  await second.unmount();
});
