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

test("a picture that fails to load is replaced by an icon; another picture is loaded", async () => {
  const { host, unmount } = await render(<Screen />);
  const shownElements = () =>
    [...host.querySelectorAll("img, svg")].map(({ nodeName }) => nodeName.toLowerCase());
  expect(shownElements()).toEqual(["img"]);
  await act(async () => host.querySelector("img")?.dispatchEvent(new Event("error")));
  expect(shownElements()).toEqual(["svg"]);
  await click(find("button", "Another"));
  expect(shownElements()).toEqual(["img"]);
  await click(find("button", "None"));
  expect(shownElements()).toEqual(["svg"]);
  await unmount();
});
