import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { ScrollArea } from "#web/ui/scroll-area.tsx";
import { priceOf, splitFeatures } from "./format-billing.ts";
import type { PlanOffer } from "./use-billing.ts";

/** The plans side by side, feature by feature. */
export function DifferenceDialog({ plans, onClose }: { plans: PlanOffer[]; onClose: () => void }) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="What's the difference?"
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ScrollArea label="Plans compared" className="mt-3 grid gap-6 sm:grid-cols-3">
        {plans.map((plan) => (
          <section key={plan.id} aria-labelledby={`features-${plan.id}`} className="grid content-start gap-2">
            <h3 id={`features-${plan.id}`} className="flex items-baseline justify-between gap-2 text-base">
              {plan.name}
              <span className="figures font-normal text-muted">{priceOf(plan.price)}</span>
            </h3>
            <ul className="grid gap-1.5 border-t border-line pt-2">
              {splitFeatures(plan.features).map((feature) => (
                <li key={feature} className="flex gap-2 text-sm">
                  <Icon name="check" className="mt-0.5 text-added" />
                  {feature}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </ScrollArea>
    </Dialog>
  );
}
