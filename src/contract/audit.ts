import { z } from "zod";

/** The actions in an account's audit trail, with the labels that its owner sees. */
export const auditActions = {
  "signed-in": "Signed in",
  "sign-in-failed": "Sign-in with a wrong password",
  "signed-out": "Signed out",
  "password-changed": "Password changed",
  "profile-changed": "Name changed",
  "photo-changed": "Photo changed",
  "notifications-changed": "Notifications turned on or off",
  "plan-changed": "Plan changed",
  "plan-cancelled": "Plan canceled",
  "plan-resumed": "Cancellation undone",
  "channel-linked": "Channel linked",
  "channel-removed": "Channel removed",
  "secret-renewed": "Secret renewed",
  "key-made": "API key created",
  "key-revoked": "API key revoked",
  "feed-made": "Feed created",
  "feed-ended": "Feed removed",
  "jobs-imported": "Jobs imported",
  "archive-downloaded": "Account archive downloaded",
  "history-exported": "History exported",
  "activity-exported": "Activity exported",
  "share-made": "Link shared",
  "share-revoked": "Shared link revoked",
  "report-made": "Report created",
  "report-downloaded": "Report downloaded",
  "report-deleted": "Report deleted",
  "report-shared": "Report shared by a public link",
  "report-unshared": "Public link to a report revoked",
  "schedule-made": "Report schedule created",
  "schedule-deleted": "Report schedule deleted",
  "proxy-made": "Proxy added",
  "proxy-changed": "Proxy changed",
  "proxy-deleted": "Proxy deleted",
  "identity-made": "Identity added",
  "identity-changed": "Identity changed",
  "identity-deleted": "Identity deleted",
  "identity-signed-in": "Sign-in tried",
  "live-view-asked": "Live view opened",
  "second-opinion-changed": "Second opinion set up or changed",
  "second-opinion-deleted": "Second opinion removed",
  "search-alert-made": "Search alert created",
  "search-alert-changed": "Search alert changed",
  "search-alert-deleted": "Search alert deleted",
  "incident-split": "Incident split",
  "incidents-merged": "Incidents merged",
  "incident-noise-marked": "Incident marked as noise",
  "incident-noise-undone": "Incident no longer marked as noise",
  "evidence-changed": "Copies of daily fingerprints changed",
  "job-created": "Job created",
  "job-changed": "Job changed",
  "rules-changed": "Rules changed",
  "job-deleted": "Job deleted",
  "group-deleted": "Group deleted",
} as const;
export type AuditAction = keyof typeof auditActions;

const auditActors = ["you", "operator", "payments", "telegram", "link"] as const;
export type AuditActor = (typeof auditActors)[number];

const AuditEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  action: z.enum(Object.keys(auditActions) as [AuditAction, ...AuditAction[]]),
  text: z.string(),
  about: z.string().nullable().describe("What the action was applied to"),
  actor: z.enum(auditActors),
  address: z.string().nullable(),
  device: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditQuery = z.object({
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export const AuditPage = z.object({ entries: z.array(AuditEntry), nextCursor: z.uuid().nullable() });
