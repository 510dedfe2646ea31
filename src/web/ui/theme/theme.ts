import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const themeEvents = new EventTarget();

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

/** Applies a theme and stores the choice; public/theme.js applies it on the next load. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // Without storage, the choice lasts until the user leaves the page.
  }
  themeEvents.dispatchEvent(new Event("change"));
}

/** The chosen theme, the same in every component that shows it. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (notify) => {
      themeEvents.addEventListener("change", notify);
      return () => themeEvents.removeEventListener("change", notify);
    },
    currentTheme,
    () => "system" as const,
  );
}
