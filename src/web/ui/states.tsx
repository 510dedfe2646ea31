import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import { Icon, type IconName } from "./icon.tsx";

type StateProps = {
  title: string;
  children?: ReactNode;
  action?: string;
  onAction?: () => void;
  className?: string;
};

function State({
  icon,
  tone,
  title,
  children,
  action,
  onAction,
  className,
  role,
}: StateProps & { icon: IconName; tone: string; role?: "alert" }) {
  return (
    <div role={role} className={cx("grid justify-items-center gap-3 px-6 py-10 text-center", className)}>
      <Icon name={icon} className={cx("size-5", tone)} />
      <div className="grid max-w-md gap-1">
        <p className="font-medium">{title}</p>
        {children && <div className="text-sm text-balance text-muted">{children}</div>}
      </div>
      {action && <Button onClick={onAction}>{action}</Button>}
    </div>
  );
}

/** An empty state: what will appear here, and one action. */
export function Empty({ icon, ...rest }: StateProps & { icon: IconName }) {
  return <State icon={icon} tone="text-quiet" {...rest} />;
}

/** An error state: what failed, what was kept, and what to try. */
export function Failed(props: StateProps) {
  return <State role="alert" icon="alert" tone="text-removed" {...props} />;
}

/** A placeholder for a part that is loading; it appears only if the wait is long enough to notice. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx("animate-late rounded-control bg-fill", className)} />;
}
