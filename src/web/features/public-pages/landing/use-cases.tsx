import { cx } from "#web/ui/cx.ts";
import { type ShownAlert, shownAlerts } from "./shown-alerts.ts";

type UseCase = { title: string; text: string; alert: ShownAlert };

const useCases: UseCase[] = [
  {
    title: "Check whether a site was defaced",
    text: "What is left of the page is compared with the last good one.",
    alert: shownAlerts.defacement,
  },
  {
    title: "Detect new bug bounty scopes",
    text: "Be there when a program adds a target.",
    alert: shownAlerts.scope,
  },
  {
    title: "Notice when an endpoint changes from status 400 to 200",
    text: "A door that was closed yesterday is open today.",
    alert: shownAlerts.opened,
  },
  {
    title: "Alert when a security.txt file changes",
    text: "Contacts, keys and expiry dates, field by field.",
    alert: shownAlerts.securityTxt,
  },
  {
    title: "Spot a specific item",
    text: "A word, a product, a name: get an alert when it appears or disappears.",
    alert: shownAlerts.lookup,
  },
  {
    title: "Compare HTML and code diffs",
    text: "Minified or not: one element per line, with noise hidden.",
    alert: shownAlerts.script,
  },
];

const tones: Record<ShownAlert["severity"], string> = {
  critical: "border-danger bg-removed-bg text-removed",
  important: "border-changed-mark bg-changed-bg text-changed",
  notice: "border-info bg-info-bg text-info",
  info: "border-line-strong bg-sunken text-muted",
};

/** The six use cases, each with the alert it would cause. */
export function UseCases() {
  return (
    <section id="use-cases" className="border-t border-line bg-surface">
      <div className="mx-auto max-w-280 px-5 py-20">
        <h2 className="text-2xl tracking-tight">Use Cases</h2>
        <p className="mt-2 max-w-160 text-muted">
          For pentesters, bug bounty hunters, security teams, asset monitors and developers.
        </p>
        <ul className="mt-10 grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
          {useCases.map((useCase) => (
            <li key={useCase.title} className="flex flex-col gap-2 bg-surface p-5">
              <h3 className="leading-6">{useCase.title}</h3>
              <p className="text-base text-muted">{useCase.text}</p>
              <p
                className={cx(
                  "mt-auto flex gap-3 rounded-sm border-s-2 px-3 py-1.5 text-xs",
                  tones[useCase.alert.severity],
                )}
              >
                <span className="font-medium whitespace-nowrap capitalize">{useCase.alert.severity}</span>
                <span className="min-w-0 font-mono wrap-anywhere text-ink">{useCase.alert.summary}</span>
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
