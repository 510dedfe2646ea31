import { type LiveInput, type LiveOutput, liveProtocol, ticketPrefix } from "#contract/live-view.ts";
import type { LiveHandlers, LiveSocket } from "#web/ui/live-view/use-live-view.ts";
import { call } from "./call.ts";

type Wanted = { url: string; origins?: string[]; identityId?: string | undefined; signsIn?: boolean };

/** Opens a live view of a page; throws if there is none, with the reason for the user. */
export async function openLiveView(
  { url, origins = [], identityId, signsIn = false }: Wanted,
  handlers: LiveHandlers,
): Promise<LiveSocket> {
  const body = { url, origins, signsIn, ...(identityId && { identityId }) };
  const { liveViewId, ticket } = await call("POST /api/live-views", { body });
  const address = new URL(`/api/live-views/${liveViewId}/socket`, window.location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address, [liveProtocol, ticketPrefix + ticket]);
  const send = (input: LiveInput) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(input));
  };
  socket.onmessage = ({ data }: MessageEvent<string | Blob>) => {
    if (typeof data === "string") return handlers.onOutput(JSON.parse(data) as LiveOutput);
    // A frame that can't be drawn is followed by the next one.
    void createImageBitmap(data)
      .then(handlers.onFrame, () => undefined)
      .then(() => send({ type: "seen" }));
  };
  socket.onclose = handlers.onClose;
  return { id: liveViewId, send, close: () => socket.close() };
}
