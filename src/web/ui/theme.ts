import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const changed = new EventTarget();

function currentTheme(): Theme {
  const set = document.documentElement.dataset.theme;
  return set === "light" || set === "dark" ? set : "system";
}

/** Applies a theme and keeps the choice; public/theme.js applies it on the next load. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // Without storage the choice holds until the page is left.
  }
  changed.dispatchEvent(new Event("change"));
}

/** The chosen theme, the same in every place that shows it. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (notify) => {
      changed.addEventListener("change", notify);
      return () => changed.removeEventListener("change", notify);
    },
    currentTheme,
    () => "system" as const,
  );
}
