import type { ColumnType, Generated } from "kysely";
import type { ChannelId } from "#channels/channel-list.ts";

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** What marking a change of an incident as noise taught its job, or why that failed. */
export type IncidentNoise = { ids: string[]; places: string[] } | { problem: string };

/** A sentence about an incident, and how many changes it had then */
export type IncidentOpinion = { model: string; sentence: string; changes: number };

/** The tables of migration 0310. */
export type IncidentTables = {
  incidents: {
    id: Generated<string>;
    account_id: string;
    by_hand: Generated<boolean>;
    opinion: ColumnType<IncidentOpinion | null, string | null | undefined, string | null>;
    created_at: Timestamp;
  };
  incident_changes: {
    execution_id: string;
    incident_id: string;
    account_id: string;
    job_id: string;
    at: Date;
    noise_wanted: Generated<boolean>;
    noise: ColumnType<IncidentNoise | null, string | null | undefined, string | null>;
  };
  joined_alerts: {
    notification_id: string;
    channel: ChannelId;
    account_id: string;
    execution_id: string;
    lead_id: string;
    created_at: Timestamp;
    covered_at: Date | null;
  };
};
