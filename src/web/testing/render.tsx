import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

/** Mounts a screen at a URL; call `unmount` when done. */
export async function render(node: ReactNode, at = "/") {
  const host = document.createElement("div");
  document.body.append(host);
  const root = createRoot(host);
  history.replaceState(null, "", at);
  await act(async () => root.render(<BrowserRouter>{node}</BrowserRouter>));
  return {
    host,
    path: () => location.pathname + location.search,
    unmount: async () => {
      await act(async () => root.unmount());
      host.remove();
    },
  };
}

/** The element with this text, anywhere on the page. */
export function find(selector: string, text: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (node) => node.textContent?.trim() === text,
  );
  if (!found) throw new Error(`no ${selector} says "${text}" in: ${document.body.textContent}`);
  return found;
}

/** Retries until nothing is thrown, for content that a call or a lazy part brings; a busy machine may be slow. */
export async function eventually<T>(attemptRead: () => T): Promise<T> {
  for (let attempt = 0; attempt < 400; attempt++) {
    try {
      return attemptRead();
    } catch {
      await act(async () => new Promise((resolve) => setTimeout(resolve, 10)));
    }
  }
  return attemptRead();
}

export async function click(element: HTMLElement): Promise<void> {
  await act(async () => element.click());
}

/** Types into an input in a way that React notices. */
export async function type(input: Element | null, value: string): Promise<void> {
  if (!(input instanceof HTMLInputElement)) throw new Error("not an input");
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
