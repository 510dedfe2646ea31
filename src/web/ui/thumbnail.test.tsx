import { act, useState } from "react";
import { expect, test } from "vitest";
import { click, find, render } from "../testing/render.tsx";
import { Thumbnail } from "./thumbnail.tsx";

function Screen() {
  const [src, setSrc] = useState<string | undefined>("/a");
  return (
    <>
      <Thumbnail src={src} className="" />
      <button type="button" onClick={() => setSrc("/b")}>
        Another
      </button>
      <button type="button" onClick={() => setSrc(undefined)}>
        None
      </button>
    </>
  );
}

test("a picture that does not come gives its place to a sign; another one is tried", async () => {
  const { host, unmount } = await render(<Screen />);
  const shown = () => [...host.querySelectorAll("img, svg")].map(({ nodeName }) => nodeName.toLowerCase());
  expect(shown()).toEqual(["img"]);
  await act(async () => host.querySelector("img")?.dispatchEvent(new Event("error")));
  expect(shown()).toEqual(["svg"]);
  await click(find("button", "Another"));
  expect(shown()).toEqual(["img"]);
  await click(find("button", "None"));
  expect(shown()).toEqual(["svg"]);
  await unmount();
});
