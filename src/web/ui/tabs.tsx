import * as Radix from "radix-ui/tabs";
import type { ReactNode } from "react";

type Tab = { id: string; label: string; content: ReactNode };

/** Tabs with arrow key navigation; only the shown panel is mounted. */
export function Tabs({ label, tabs, className }: { label: string; tabs: Tab[]; className?: string }) {
  return (
    <Radix.Root defaultValue={tabs[0]?.id} className={className}>
      <Radix.List aria-label={label} className="flex gap-4 border-b border-line px-4">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px border-b-2 border-transparent py-2 text-muted transition-colors hover:text-ink data-[state=active]:border-accent-text data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
