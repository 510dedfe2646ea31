const mostUnseen = 2;

/** Sends the newest frame as fast as the client sees them; a slow client misses frames, and none pile up. */
export function openFrameGate(send: (jpeg: Uint8Array) => void) {
  let unseen = 0;
  let next: Uint8Array | null = null;
  const go = () => {
    if (!next || unseen >= mostUnseen) return;
    const frame = next;
    next = null;
    unseen += 1;
    send(frame);
  };
  return {
    offer(jpeg: Uint8Array): void {
      next = jpeg;
      go();
    },
    seen(): void {
      unseen = Math.max(0, unseen - 1);
      go();
    },
  };
}
