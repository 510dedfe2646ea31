import { useId } from "react";
import { cx } from "../cx.ts";
import { Icon, type IconName } from "../icon.tsx";
import { chooseTheme, type Theme, themes, useTheme } from "./theme.ts";

const looks: Record<Theme, { icon: IconName; label: string }> = {
  system: { icon: "monitor", label: "As the system" },
  light: { icon: "sun", label: "Light" },
  dark: { icon: "moon", label: "Dark" },
};

/** System, light or dark. */
export function ThemeChoice({ className }: { className?: string }) {
  const chosen = useTheme();
  const name = useId();
  return (
    <fieldset className={cx("inline-flex rounded-control bg-fill p-0.5", className)}>
      <legend className="sr-only">Theme</legend>
      {themes.map((theme) => (
        <label
          key={theme}
          title={looks[theme].label}
          className={cx(
            "grid h-6 w-8 cursor-pointer place-items-center rounded-sm text-muted transition-colors hover:text-ink",
            "has-checked:bg-surface has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-text",
          )}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={chosen === theme}
            onChange={() => chooseTheme(theme)}
          />
          <Icon name={looks[theme].icon} className="size-3.5" />
          <span className="sr-only">{looks[theme].label}</span>
        </label>
      ))}
    </fieldset>
  );
}
