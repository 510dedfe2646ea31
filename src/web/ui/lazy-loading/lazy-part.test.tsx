import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { click, eventually, find, render } from "../../testing/render.tsx";
import { lazyPart, loadPart } from "./lazy-part.ts";
import { LoadBoundary } from "./load-boundary.tsx";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a failed load names the chunk", async () => {
  await expect(loadPart("viewer", () => Promise.reject(new TypeError("404")))).rejects.toThrow(
    "Loading chunk viewer failed.",
  );
});

test("an endless load fails after 120 seconds, not before", async () => {
  vi.useFakeTimers();
  let outcome = "waiting";
  loadPart("chart", () => new Promise(() => {})).catch((error: Error) => {
    outcome = error.message;
  });
  await vi.advanceTimersByTimeAsync(119_999);
  expect(outcome).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toBe("Loading chunk chart failed.");
});

test("a failed load shows a message and offers a reload", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const Part = lazyPart("jobs", () => Promise.reject(new TypeError("gone")));
  const { unmount } = await render(
    <LoadBoundary>
      <Part />
    </LoadBoundary>,
  );
  find("p", "Loading chunk jobs failed.");
  expect(find("button", "Reload")).toBeTruthy();
  await unmount();
});

test("after a failure another page can be shown, and the failed one is requested again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  let isOnline = false;
  const Terms = lazyPart("terms", async () => {
    if (!isOnline) throw new TypeError("gone");
    return () => <h1>Terms</h1>;
  });
  function Site() {
    const [page, setPage] = useState("/terms");
    return (
      <>
        <button type="button" onClick={() => setPage(page === "/" ? "/terms" : "/")}>
          Go
        </button>
        <LoadBoundary page={page}>{page === "/" ? <h1>Front</h1> : <Terms />}</LoadBoundary>
      </>
    );
  }
  const { unmount } = await render(<Site />);
  await eventually(() => find("p", "Loading chunk terms failed."));
  await click(find("button", "Go"));
  find("h1", "Front");
  isOnline = true;
  await click(find("button", "Go"));
  expect(await eventually(() => find("h1", "Terms"))).toBeTruthy();
  await unmount();
});
