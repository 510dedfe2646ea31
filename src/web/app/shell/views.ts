import type { ComponentType } from "react";
import type { IconName } from "#web/ui/icon.tsx";
import { lazyPart } from "#web/ui/lazy-loading/lazy-part.ts";

const viewIds = [
  "dashboard",
  "jobs",
  "all-jobs",
  "search",
  "incidents",
  "reports",
  "profile",
  "billing",
] as const;
export type ViewId = (typeof viewIds)[number];

export type View = {
  id: ViewId;
  label: string;
  icon: IconName;
  section: "general" | "settings";
  Screen: ComponentType;
};

/** All views, in the menu's order. Adding a row here adds the view and its menu entry. */
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
    id: "all-jobs",
    label: "All jobs",
    icon: "filter",
    section: "general",
    Screen: lazyPart(
      "all-jobs",
      async () => (await import("#web/features/jobs/all-jobs/all-jobs.tsx")).AllJobs,
    ),
  },
  {
    id: "search",
    label: "Search",
    icon: "search",
    section: "general",
    Screen: lazyPart("search", async () => (await import("#web/features/search/search.tsx")).Search),
  },
  {
    id: "incidents",
    label: "Incidents",
    icon: "alert",
    section: "general",
    Screen: lazyPart(
      "incidents",
      async () => (await import("#web/features/incidents/incidents.tsx")).Incidents,
    ),
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

/** Returns the view that the URL names; anything unknown is the dashboard. */
export function viewOf(search: URLSearchParams, candidates: readonly { id: ViewId }[] = views): ViewId {
  const wanted = search.get("view");
  return candidates.find((view) => view.id === wanted)?.id ?? "dashboard";
}

/** Returns the URL of a view; the route stays /dashboard. */
export function viewPath(id: ViewId): string {
  return id === "dashboard" ? "/dashboard" : `/dashboard?view=${id}`;
}
