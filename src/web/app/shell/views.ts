import type { ComponentType } from "react";
import type { IconName } from "#web/ui/icon.tsx";
import { lazyPart } from "#web/ui/lazy-part.ts";

const viewIds = ["dashboard", "jobs", "reports", "profile", "billing"] as const;
export type ViewId = (typeof viewIds)[number];

export type View = {
  id: ViewId;
  label: string;
  icon: IconName;
  section: "general" | "settings";
  Screen: ComponentType;
};

/** The views that exist, in the menu's order: adding a row here brings a view and its menu entry to life. */
export const views: View[] = [
  {
    id: "dashboard",
    label: "Dashboard",
    icon: "gauge",
    section: "general",
    Screen: lazyPart(
      "dashboard",
      async () => (await import("#web/features/dashboard/dashboard.tsx")).Dashboard,
    ),
  },
  {
    id: "jobs",
    label: "Jobs",
    icon: "jobs",
    section: "general",
    Screen: lazyPart("jobs", async () => (await import("./jobs-screen.tsx")).JobsScreen),
  },
  {
    id: "reports",
    label: "Reports",
    icon: "report",
    section: "general",
    Screen: lazyPart("reports", async () => (await import("#web/features/reports/reports.tsx")).Reports),
  },
  {
    id: "profile",
    label: "Profile",
    icon: "user",
    section: "settings",
    Screen: lazyPart("profile", async () => (await import("#web/features/profile/profile.tsx")).Profile),
  },
  {
    id: "billing",
    label: "Plan",
    icon: "card",
    section: "settings",
    Screen: lazyPart("billing", async () => (await import("#web/features/billing/billing.tsx")).Billing),
  },
];

/** The view an address names; anything unknown is the dashboard. */
export function viewOf(search: URLSearchParams, among: readonly { id: ViewId }[] = views): ViewId {
  const wanted = search.get("view");
  return among.find((view) => view.id === wanted)?.id ?? "dashboard";
}

/** The address of a view; the route stays /dashboard. */
export function viewPath(id: ViewId): string {
  return id === "dashboard" ? "/dashboard" : `/dashboard?view=${id}`;
}
