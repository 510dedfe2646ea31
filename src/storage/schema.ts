import type { ColumnType, Generated } from "kysely";
import type { AuditActor } from "#contract/audit.ts";
import type { ApiKeyTables } from "./api-key-tables.ts";
import type { BillingTables } from "./billing-tables.ts";
import type { DeliveryTables } from "./delivery-tables.ts";
import type { FeedTables } from "./feed-tables.ts";
import type { IdentityTables } from "./identity-tables.ts";
import type { IncidentTables } from "./incident-tables.ts";
import type { JobTables } from "./job-tables.ts";
import type { LiveViewTables } from "./live-view-tables.ts";
import type { OpinionTables } from "./opinion-tables.ts";
import type { PageIndexTables } from "./page-index-tables.ts";
import type { PreviewTables } from "./preview-tables.ts";
import type { ProxyTables } from "./proxy-tables.ts";
import type { ReportTables } from "./report-tables.ts";
import type { SealTables } from "./seal-tables.ts";
import type { ShareTables } from "./share-tables.ts";
import type { SiteTables } from "./site-tables.ts";

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** The tables as the migrations leave them. */
export type Schema = AccountTables &
  ApiKeyTables &
  BillingTables &
  DeliveryTables &
  ProxyTables &
  FeedTables &
  IdentityTables &
  IncidentTables &
  JobTables &
  LiveViewTables &
  OpinionTables &
  PageIndexTables &
  PreviewTables &
  ReportTables &
  SealTables &
  ShareTables &
  SiteTables;

type AccountTables = {
  accounts: {
    id: Generated<string>;
    email: string;
    email_key: string;
    firstname: string;
    surname: string;
    password_hash: string;
    plan_id: Generated<string>;
    activated_at: Date | null;
    bot_token_sealed: string;
    bot_token_hash: Buffer;
    telegram_notifications: Generated<boolean>;
    email_notifications: Generated<boolean>;
    combines_alerts: Generated<boolean>;
    photo: Buffer | null;
    photo_name: string | null;
    kept_plan_id: "professional" | "ultimate" | null;
    kept_until: Date | null;
    granted_plan_id: "professional" | "ultimate" | null;
    mails_heads: Generated<boolean>;
    anchor_webhook: string | null;
    created_at: Timestamp;
  };
  sessions: {
    id: Generated<string>;
    account_id: string;
    created_at: Timestamp;
    expires_at: Date;
  };
  account_tokens: {
    token_hash: Buffer;
    account_id: string;
    kind: "activation" | "recovery";
    created_at: Timestamp;
    expires_at: Date;
    password_hash: string | null;
    firstname: string | null;
    surname: string | null;
  };
  audit_entries: {
    id: Generated<string>;
    account_id: string;
    action: string;
    about: string | null;
    actor: Generated<AuditActor>;
    address: string | null;
    device: string | null;
    created_at: Timestamp;
  };
  saved_views: {
    id: Generated<string>;
    account_id: string;
    name: string;
    query: string;
    created_at: Timestamp;
  };
  rate_limits: {
    key: string;
    window_ends_at: Date;
    used: number;
  };
};
