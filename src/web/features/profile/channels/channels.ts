import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { type ChannelId, channels, plansWithChannel } from "#channels/channel-list.ts";
import type { Channels } from "#contract/delivery.ts";
import { call } from "#web/api/call.ts";

export type { Channels };

const key = ["channels"];

/** How alerts reach the user: the chat, the webhook, the address. */
export function useChannels() {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call("GET /api/me/channels", undefined, { signal }),
  });
}

/** Changes something about the channels and shows the server's message. */
export function useChannelAction<T = void>(act: (input: T) => Promise<{ message: string }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message || "We couldn’t reach the server."),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
}

/** Names the plans that include a channel, for users whose plan does not. */
export function planHint(channel: ChannelId): string {
  const names = plansWithChannel(channel).map(({ name }) => name);
  return `${channels[channel].name} alerts are part of the ${names.join(" and ")} plans.`;
}

export function useRemove(channel: ChannelId) {
  return useChannelAction(() => call("DELETE /api/me/channels/:channel", { params: { channel } }));
}

export function useTest(channel: ChannelId) {
  return useChannelAction(() => call("POST /api/me/channels/:channel/test", { params: { channel } }));
}
