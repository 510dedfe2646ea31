import { cx } from "#web/ui/cx.ts";

type Tone = "added" | "removed" | "changed" | "info";

type UseCase = { title: string; text: string; tone: Tone; word: string; alert: string };

const useCases: UseCase[] = [
  {
    title: "Check whether a site was defaced",
    text: "The picture is compared with the last good one.",
    tone: "removed",
    word: "Critical",
    alert: "Picture 34 % alike, title replaced",
  },
  {
    title: "Detect new bug bounty scopes",
    text: "Be there when a programme adds a target.",
    tone: "added",
    word: "Important",
    alert: "+ *.api.vendor.example",
  },
  {
    title: "Notice when an endpoint changes from status 400 to 200",
    text: "A door that was closed yesterday is open today.",
    tone: "removed",
    word: "Critical",
    alert: "Status 400 → 200",
  },
  {
    title: "Alert when a security.txt file changes",
    text: "Contacts, keys and expiry dates, line by line.",
    tone: "changed",
    word: "Important",
    alert: "~ Contact: changed in security.txt",
  },
  {
    title: "Spot a specific item",
    text: "A word, a product, a name: told when it appears or goes.",
    tone: "info",
    word: "Lookup",
    alert: "“back in stock” appeared",
  },
  {
    title: "Compare HTML and code diffs",
    text: "Minified or not, one node a line, noise folded away.",
    tone: "changed",
    word: "Notice",
    alert: "3 lines added, 1 removed in main",
  },
];

const tones: Record<Tone, string> = {
  added: "border-added bg-added-bg text-added",
  removed: "border-danger bg-removed-bg text-removed",
  changed: "border-changed-mark bg-changed-bg text-changed",
  info: "border-info bg-info-bg text-info",
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
                  tones[useCase.tone],
                )}
              >
                <span className="font-medium whitespace-nowrap">{useCase.word}</span>
                <span className="font-mono text-ink">{useCase.alert}</span>
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
