import type { ComponentProps } from "react";
import { Link } from "react-router";
import { cx } from "./cx.ts";
import { Icon, type IconName } from "./icon.tsx";

type Look = "primary" | "secondary" | "ghost" | "danger";
type Size = "sm" | "md" | "lg";

const looks: Record<Look, string> = {
  primary: "bg-accent text-accent-ink hover:bg-accent-hover",
  secondary: "bg-surface text-ink ring-1 ring-inset ring-line-strong hover:bg-hover",
  ghost: "text-muted hover:bg-hover hover:text-ink",
  danger: "bg-danger text-on-danger hover:bg-danger-hover",
};

const sizes: Record<Size, string> = {
  sm: "h-7 gap-1.5 px-2.5 text-sm",
  md: "h-8 gap-2 px-3 text-sm",
  lg: "h-11 gap-2 px-5 text-lg",
};

function classesOf(look: Look, size: Size, className?: string): string {
  return cx(
    "inline-flex shrink-0 items-center justify-center rounded-control font-medium whitespace-nowrap transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:opacity-55",
    looks[look],
    sizes[size],
    className,
  );
}

type ButtonProps = ComponentProps<"button"> & { look?: Look; size?: Size; busy?: boolean; icon?: IconName };

/** While busy it keeps its focus and width, and ignores further clicks. */
export function Button({
  look = "secondary",
  size = "md",
  busy = false,
  icon,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classesOf(look, size, className)}
    >
      {busy ? <Icon name="refresh" className="animate-work" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type ButtonLinkProps = ComponentProps<typeof Link> & { look?: Look; size?: Size };

/** A link that is styled as a button. */
export function ButtonLink({ look = "secondary", size = "md", className, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={classesOf(look, size, className)} />;
}

type DownloadLinkProps = ComponentProps<"a"> & { look?: Look; size?: Size };

/** A download link that is styled as a button. */
export function DownloadLink({
  look = "secondary",
  size = "md",
  className,
  children,
  ...rest
}: DownloadLinkProps) {
  return (
    <a {...rest} download className={classesOf(look, size, className)}>
      <Icon name="download" />
      {children}
    </a>
  );
}

type IconButtonProps = ComponentProps<"button"> & { icon: IconName; label: string };

/** A square icon button; its label is for assistive technology and the tooltip. */
export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={cx(
        "inline-grid size-8 shrink-0 place-items-center rounded-control text-muted transition-colors hover:bg-hover hover:text-ink disabled:cursor-not-allowed disabled:opacity-55",
        className,
      )}
    >
      <Icon name={icon} />
    </button>
  );
}
