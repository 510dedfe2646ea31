import { channelIds, channels, hasChannel } from "#channels/channel-list.ts";
import { formatPrice, type Plan, plans } from "#plans/plans.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";
import { ScrollArea } from "#web/ui/scroll-area.tsx";

type Row = { label: string; value: (plan: Plan) => string | boolean };

const rows: Row[] = [
  { label: "Groups", value: (plan) => (plan.groups === 1 ? "1" : `up to ${plan.groups}`) },
  {
    label: "Jobs",
    value: (plan) => (plan.jobs === null ? `up to ${plan.jobsPerGroup} per group` : `${plan.jobs}`),
  },
  { label: "Minimum interval", value: (plan) => `${plan.minimumMinutes} minutes` },
  { label: "Whole sites", value: (plan) => `up to ${plan.sitePages.toLocaleString("en")} pages` },
  { label: "HTTP trigger", value: (plan) => (plan.triggers === null ? "on any job" : `${plan.triggers}`) },
  { label: "HTML diff and screenshots", value: () => true },
  ...channelIds.map((id) => ({
    label: `${channels[id].name} alerts`,
    value: (plan: Plan) => hasChannel(plan, id),
  })),
  { label: "Steps before the capture", value: () => true },
  { label: "Identities: pages behind a sign-in", value: (plan) => plan.identities },
  { label: "Text lookup", value: (plan) => plan.textLookup },
  { label: "Report generation", value: (plan) => plan.reports },
  { label: "History", value: (plan) => `${plan.retentionDays} days` },
];

/** The table of plans and prices. */
export function Pricing() {
  return (
    <section id="pricing" className="border-t border-line">
      <div className="mx-auto max-w-280 px-5 py-20">
        <h2 className="text-2xl tracking-tight">Pricing</h2>
        <p className="mt-2 text-muted">
          Billed monthly. Cancel any time and keep the plan to the end of the month you paid for.
        </p>
        <p className="mt-6 text-sm text-muted sm:hidden">
          {plans.length} plans: scroll sideways to compare them. <span aria-hidden="true">→</span>
        </p>
        <ScrollArea
          label="Plans compared"
          className="relative mt-10 overflow-x-auto rounded-card border border-line bg-surface max-sm:mt-2"
        >
          <table className="figures w-full min-w-140 table-fixed text-start text-base">
            <thead>
              <tr className="align-top">
                <th scope="col" className="sticky start-0 w-[26%] bg-surface p-4 text-start font-normal">
                  <span className="sr-only">Plan</span>
                </th>
                {plans.map((plan) => (
                  <th key={plan.id} scope="col" className="border-s border-line p-4 text-start font-normal">
                    <span className="text-lg font-semibold">{plan.name}</span>
                    <span className="mt-1 flex flex-wrap items-baseline gap-x-1.5">
                      <span className="text-2xl font-semibold tracking-tight whitespace-nowrap">
                        {formatPrice(plan.priceCents)}
                      </span>
                      <span className="text-sm whitespace-nowrap text-muted">a month</span>
                    </span>
                    <span className="mt-1 block text-sm text-muted max-md:hidden">{plan.description}</span>
                    <ButtonLink
                      to="/login"
                      className="mt-4 w-full"
                      look={plan.id === "professional" ? "primary" : "secondary"}
                    >
                      <span>
                        Choose<span className="max-md:sr-only"> {plan.name}</span>
                      </span>
                    </ButtonLink>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.label} className="border-t border-line">
                  <th
                    scope="row"
                    className="sticky start-0 bg-surface px-4 py-2.5 text-start font-normal text-muted"
                  >
                    {row.label}
                  </th>
                  {plans.map((plan) => (
                    <td key={plan.id} className="border-s border-line px-4 py-2.5">
                      <Value value={row.value(plan)} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      </div>
    </section>
  );
}

function Value({ value }: { value: string | boolean }) {
  if (typeof value === "string") return value;
  return (
    <span className={cx("flex items-center gap-2", value ? "text-added" : "text-muted")}>
      <Icon name={value ? "check" : "minus"} />
      <span className="sr-only">{value ? "included" : "not included"}</span>
    </span>
  );
}
