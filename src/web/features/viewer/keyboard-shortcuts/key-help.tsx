import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ScrollArea } from "#web/ui/scroll-area.tsx";
import { shortcuts } from "./keys.ts";

const names: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", N: "Shift N" };

/** Lists every keyboard shortcut of the viewer. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Keys"
      footer={
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ScrollArea label="List of keys" className="mt-3 rounded-sm">
        <dl className="grid gap-x-8 gap-y-1.5 min-[520px]:grid-cols-2">
          {shortcuts.map(({ keys, command, says }) => (
            <div key={command} className="flex items-center justify-between gap-4">
              <dt className="text-sm">{says}</dt>
              <dd className="flex gap-1">
                {keys.map((key) => (
                  <kbd
                    key={key}
                    className="min-w-6 rounded-sm border border-line-strong bg-sunken px-1.5 text-center font-mono text-xs leading-5"
                  >
                    {names[key] ?? key}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
          <div className="flex items-center justify-between gap-4">
            <dt className="text-sm">Close the viewer</dt>
            <dd>
              <kbd className="rounded-sm border border-line-strong bg-sunken px-1.5 font-mono text-xs leading-5">
                Esc
              </kbd>
            </dd>
          </div>
        </dl>
      </ScrollArea>
    </Dialog>
  );
}
