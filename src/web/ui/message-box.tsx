import * as Radix from "radix-ui/alert-dialog";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "./button.tsx";
import { useFocusReturn } from "./use-focus-return.ts";

/** A message about an outcome; closing it navigates to `redirect`, if there is one. */
export type Message = { title: string; message: string; redirect?: string };

/** Returns the box to render, and a function that shows a message in it. */
export function useMessageBox(): { box: ReactNode; show: (message: Message) => void } {
  const [message, show] = useState<Message>();
  const navigate = useNavigate();
  function close() {
    show(undefined);
    if (message?.redirect) void navigate(message.redirect, { replace: true });
  }
  return { box: message && <MessageBox {...message} onClose={close} />, show };
}

function MessageBox({ title, message, onClose }: Message & { onClose: () => void }) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-[oklch(0.2_0.02_225/0.45)]" />
        <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center p-4">
          <Radix.Content
            {...focusReturn}
            className="pointer-events-auto grid w-full max-w-100 animate-rise gap-5 rounded-card border border-line bg-raised p-5 shadow-float"
          >
            <div className="grid gap-1.5">
              <Radix.Title className="text-lg leading-6 font-semibold">{title}</Radix.Title>
              <Radix.Description className="text-base text-muted">{message}</Radix.Description>
            </div>
            <Radix.Cancel asChild>
              <Button look="primary" className="justify-self-end">
                Close
              </Button>
            </Radix.Cancel>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
