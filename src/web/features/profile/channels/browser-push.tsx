import { useEffect, useState } from "react";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { type Channels, planHint, useChannelAction, useRemove, useTest } from "./channels.ts";
import { Linked } from "./linked.tsx";
import { MessageButton } from "./message-template.tsx";

const worker = "/sw.js";

/** Names the browser, such as "Firefox on Linux", so that users can tell their browsers apart. */
function nameOf(agent: string): string {
  const browser = /Edg|OPR|Firefox|Chrome|Safari/.exec(agent)?.[0] ?? "Browser";
  const names: Record<string, string> = { Edg: "Edge", OPR: "Opera" };
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(agent)?.[0] ?? "this device";
  return `${names[browser] ?? browser} on ${system === "Mac OS X" ? "macOS" : system}`;
}

const words = {
  denied: "Your browser blocks notifications from this site. Allow them in the browser’s settings.",
  insecure: "Browsers allow notifications over HTTPS only. Open Watchglass at its HTTPS address.",
  unknown:
    "This browser doesn’t support notifications. On an iPhone or iPad, add Watchglass to the home screen first.",
  possible: "Get alerts as browser notifications, even when this page is closed.",
};

function describeSupport(): string {
  if (!window.isSecureContext) return words.insecure;
  if (!isPossible()) return words.unknown;
  return Notification.permission === "denied" ? words.denied : words.possible;
}

const isPossible = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

async function subscribe(): Promise<{ message: string }> {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(words.denied);
  const { publicKey } = await call("GET /api/me/push");
  const registration = await navigator.serviceWorker.register(worker).catch(() => {
    throw new Error(
      "The browser does not let this site work in the background. Private windows often do not.",
    );
  });
  await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await registration.pushManager.subscribe(options).catch(() => {
    throw new Error("The browser’s push service cannot be reached.");
  });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  return call("POST /api/me/push", {
    body: { endpoint, keys: { p256dh, auth }, label: nameOf(navigator.userAgent) },
  });
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = isPossible() ? await navigator.serviceWorker.getRegistration(worker) : undefined;
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Push notifications for this browser, and for others that were added. */
export function BrowserPush({ push }: { push: Channels["push"] }) {
  const [isSubscribed, setSubscribed] = useState(false);
  const test = useTest("push");
  const remove = useRemove("push");
  const add = useChannelAction(subscribe);
  const unsubscribe = useChannelAction(async () => {
    const subscription = await findSubscription();
    const endpoint = subscription?.endpoint ?? "";
    await subscription?.unsubscribe();
    return call("DELETE /api/me/push", { body: { endpoint } });
  });
  const refreshKey = `${add.isPending} ${unsubscribe.isPending} ${push.webhook?.since ?? ""}`;
  useEffect(() => {
    void refreshKey;
    void findSubscription().then((subscription) => setSubscribed(subscription !== null));
  }, [refreshKey]);
  const { webhook, included } = push;
  const canAdd = included && isPossible() && !(isSubscribed && webhook);
  const hint = included ? describeSupport() : planHint("push");
  return (
    <div className="grid grid-cols-1 gap-2">
      {webhook && (
        <Linked title={`Browsers: ${webhook.label}`} since={webhook.since} failure={webhook.failure}>
          <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
            Send me a test
          </Button>
          <MessageButton channel="push" />
          {isSubscribed && (
            <Button size="sm" busy={unsubscribe.isPending} onClick={() => unsubscribe.mutate()}>
              Turn off in this browser
            </Button>
          )}
          <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
            Remove all
          </Button>
        </Linked>
      )}
      {!(isSubscribed && webhook) && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="grid min-w-48 flex-1 gap-0.5">
            <p className="text-sm font-medium">Browser notifications</p>
            <p className="text-sm text-muted">{hint}</p>
          </div>
          <Button size="sm" busy={add.isPending} disabled={!canAdd} onClick={() => add.mutate()}>
            Turn on in this browser
          </Button>
        </div>
      )}
    </div>
  );
}
