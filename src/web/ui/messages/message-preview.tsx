import type { MessagePreview } from "#contract/template.ts";
import { cx } from "#web/ui/cx.ts";
import { Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";

const looks: Record<NonNullable<MessagePreview["lines"][number][number]["look"]>, string> = {
  bold: "font-semibold",
  struck: "line-through",
  code: "font-mono text-sm",
  removed: "text-removed line-through",
  added: "text-added font-semibold",
};

type PreviewProps = {
  preview: MessagePreview | undefined;
  isWebhook?: boolean;
  /** The change is the newest of one job, not of the account. */
  isOfJob?: boolean;
};

/** What the message looks like, with the change that it shows. */
export function Preview({ preview, isWebhook = false, isOfJob = false }: PreviewProps) {
  if (!preview) return <Skeleton className="h-32" />;
  const { of, title, lines } = preview;
  return (
    <section aria-label="Preview" className="grid grid-cols-1 gap-1.5">
      <p className="text-sm font-medium">Preview</p>
      <div className="max-h-72 overflow-y-auto rounded-control border border-line bg-sunken p-3 wrap-anywhere">
        {title && <p className="font-semibold">{title}</p>}
        <div className={cx("whitespace-pre-wrap", isWebhook && "font-mono text-sm")}>
          {lines.map((line, at) => (
            // A preview is always rendered as a whole, and its lines have no id.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <p key={at} className="min-h-5">
              {line.map((run, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <span key={position} className={run.look && looks[run.look]}>
                  {run.text}
                </span>
              ))}
            </p>
          ))}
        </div>
      </div>
      <p className="text-sm text-muted">
        {of ? (
          <>
            {isOfJob ? "This job’s" : "Your"} newest change, <Time at={of.at} />.
          </>
        ) : (
          `${isOfJob ? "This job has" : "You have"} no changes yet, so this is an example.`
        )}
      </p>
    </section>
  );
}
