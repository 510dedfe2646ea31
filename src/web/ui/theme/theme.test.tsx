import { afterEach, expect, test } from "vitest";
import { click, render } from "../../testing/render.tsx";
import { chooseTheme } from "./theme.ts";
import { ThemeChoice } from "./theme-choice.tsx";

afterEach(() => chooseTheme("system"));

const radios = () => [...document.querySelectorAll<HTMLInputElement>("input[type=radio]")];

test("a chosen theme is applied, stored and shown in every theme control", async () => {
  const { unmount } = await render([<ThemeChoice key="a" />, <ThemeChoice key="b" />]);
  expect(radios().map((radio) => radio.checked)).toEqual([true, false, false, true, false, false]);
  await click(radios()[2] as HTMLInputElement);
  expect(document.documentElement.dataset.theme).toBe("dark");
  expect(localStorage.getItem("theme")).toBe("dark");
  expect(radios().map((radio) => radio.checked)).toEqual([false, false, true, false, false, true]);
  await click(radios()[0] as HTMLInputElement);
  expect(document.documentElement.dataset.theme).toBeUndefined();
  expect(localStorage.getItem("theme")).toBeNull();
  await unmount();
});
