// Shows push messages and opens their page on click. Texts are shown as text; only URLs of our origin are opened.
self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data?.json() ?? {};
  if (!title) return;
  const options = { body, tag, data: { url }, icon: "/apple-touch-icon.png" };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.url ?? "/dashboard", self.location.origin);
  const target = url.origin === self.location.origin ? url.href : `${self.location.origin}/dashboard`;
  event.waitUntil(show(target));
});

// Navigates one of our open pages to the target, or opens a new one.
async function show(target) {
  const [open] = await self.clients.matchAll({ type: "window" });
  if (!open) return self.clients.openWindow(target);
  await open.focus();
  return open.navigate(target);
}
