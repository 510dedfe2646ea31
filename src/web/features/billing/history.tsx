import { Card } from "#web/ui/card.tsx";
import { cx } from "#web/ui/cx.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { formatAmount, formatDay } from "./format-billing.ts";
import { type Invoice, useInvoices } from "./use-billing.ts";

/** All invoices, newest first. */
export function History() {
  return (
    <Card title="Billing history">
      <Invoices />
    </Card>
  );
}

function Invoices() {
  const { data: invoices, error, refetch } = useInvoices();
  if (error && !invoices) {
    return (
      <Failed title="We couldn’t load your bills" action="Try again" onAction={() => void refetch()}>
        {error.message || "We couldn’t reach the server."} They’re still stored.
      </Failed>
    );
  }
  if (!invoices) return <Skeleton className="m-4 h-24" />;
  if (invoices.length === 0) {
    return (
      <Empty icon="card" title="Nothing billed yet">
        Payments appear here.
      </Empty>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {invoices.map((invoice) => (
        <Row key={invoice.id} invoice={invoice} />
      ))}
    </ul>
  );
}

const tones: Partial<Record<Invoice["status"], string>> = {
  completed: "text-added",
  paid: "text-added",
  past_due: "text-removed",
};

function Row({ invoice }: { invoice: Invoice }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 md:grid md:grid-cols-[minmax(0,1fr)_auto_9rem_10rem] md:gap-x-6">
      <span className="font-mono text-sm max-md:w-full">
        Invoice-{invoice.id}-{invoice.plan.name}
      </span>
      <span className="figures">{formatAmount(invoice)}</span>
      <time dateTime={invoice.createdAt} className="text-muted">
        {formatDay(invoice.createdAt)}
      </time>
      <span className={cx(tones[invoice.status] ?? "text-muted")}>
        Status: {invoice.status.replaceAll("_", " ")}
      </span>
    </li>
  );
}
