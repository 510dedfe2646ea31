import type { ColumnType, Generated } from "kysely";
import type { ChannelId } from "#channels/channel-list.ts";
import type { Pace } from "#contract/delivery-schedule.ts";

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** The kind of a row in `channels`; a trigger's row holds the secret that it is signed with. */
export type ChannelKind = ChannelId | "trigger";

/** The tables of migrations 0020, 0060, 0093, 0140 and 0310. */
export type DeliveryTables = {
  channels: {
    account_id: string;
    kind: ChannelKind;
    chat_id: number | null;
    secret_sealed: string | null;
    label: Generated<string>;
    created_at: Timestamp;
    failure: string | null;
    gone: Generated<boolean>;
  };
  channel_paces: { account_id: string; channel: ChannelId; pace: ColumnType<Pace, string, string> };
  channel_templates: { account_id: string; channel: ChannelId; title: string; body: string };
  deliveries: {
    id: Generated<string>;
    account_id: string;
    notification_id: string;
    execution_id: string | null;
    channel: ChannelId;
    state: Generated<"waiting" | "held" | "sent" | "failed">;
    attempts: Generated<number>;
    error: string | null;
    instead_of: ChannelId | null;
    held_until: Date | null;
    created_at: Timestamp;
    sent_at: Date | null;
    message_ref: string | null;
  };
  trigger_runs: {
    id: Generated<string>;
    account_id: string;
    job_id: string;
    execution_id: string;
    notification_id: string | null;
    state: Generated<"waiting" | "sent" | "failed">;
    attempts: Generated<number>;
    error: string | null;
    result_sealed: string | null;
    created_at: Timestamp;
    finished_at: Date | null;
  };
  send_turns: { key: string; next_at: Date };
  telegram_updates: { update_id: number; seen_at: Timestamp };
};
