import type { z } from "zod";
import type { Notification } from "#contract/job.ts";
import type { NotificationRow } from "./notifications.ts";

/** A notification as the API shows it. */
export function describeNotification(row: NotificationRow): z.input<typeof Notification> {
  return {
    id: row.id,
    kind: row.kind,
    jobId: row.job_id,
    executionId: row.execution_id,
    incidentId: row.incident_id,
    severity: row.severity as "info",
    title: row.title,
    message: row.message,
    createdAt: row.created_at.toISOString(),
    read: row.read_at !== null,
  };
}
