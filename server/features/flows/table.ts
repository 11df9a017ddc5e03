import type { SessionState } from '#shared/flows/runs/runs.ts'
import type { ReplayVerdict } from '#shared/flows/testing/replay.ts'

export interface FlowTable {
  id: string
  org_id: string
  name: string
  /** Flows are tried in this order. */
  position: number
  /** 0/1 */
  is_enabled: number
  /** JSON */
  graph: string
  /** JSON */
  triggers: string
  /** Increases by one with each save of the draft. */
  revision: number
  /** null: never published. */
  published_revision: number | null
  version: number | null
  /** A check of the live version's triggers first exceeded its budget at this time; null: never. */
  limited_at: string | null
  edited_at: string
  editor_id: string
  editor_name: string
  created_at: string
  deleted_at: string | null
}

/** A published version; never changed. */
interface FlowVersionTable {
  flow_id: string
  version: number
  org_id: string
  name: string
  graph: string
  triggers: string
  note: string | null
  published_at: string
  author_name: string
}

/** A session of a contact in a flow; a contact has at most one running session. */
export interface FlowSessionTable {
  id: string
  org_id: string
  flow_id: string
  version: number
  contact_id: string
  conversation_id: string
  trigger: string
  /** null: not a test. */
  test_id: string | null
  /** Hash of the client key of the program that started it by the flow's address; null: none. */
  client_key: string | null
  state: SessionState
  reason: string | null
  /** JSON: `SessionPosition` of server/features/flows/step/advance-types.ts */
  place: string
  steps: number
  wakes_at: string | null
  started_at: string
  moved_at: string
  ended_at: string | null
}

export interface FlowStepTable {
  session_id: string
  /** Position within the session, from 1. */
  place: number
  org_id: string
  node_id: string
  at: string
  input: string | null
  output: string | null
  why: string | null
  /** JSON */
  changes: string | null
  message_id: string | null
  /** JSON */
  call: string | null
}

/** Secrets for calling services; `sealed` can be decrypted for this row only. */
interface FlowSecretTable {
  org_id: string
  name: string
  host: string
  sealed: string
  changed_at: string
  changed_by: string
}

/** The test of a draft on its author's own phone, started by the code. */
interface FlowTestTable {
  id: string
  org_id: string
  flow_id: string
  code: string
  name: string
  /** JSON */
  graph: string
  author_id: string
  author_name: string
  created_at: string
  ends_at: string
}

export interface FlowReplayTable {
  id: string
  org_id: string
  flow_id: string
  /** JSON */
  graph: string
  since: string
  /** Only sessions started by this trigger; null: all. */
  trigger: string | null
  state: 'running' | 'stopped' | 'done'
  total: number
  done: number
  after: string
  started_at: string
  started_by: string
  ended_at: string | null
}

interface FlowReplayedTable {
  replay_id: string
  place: number
  org_id: string
  session_id: string
  conversation_id: string
  verdict: ReplayVerdict
}

/**
 * The address at which other programs start a flow, found by the hash of its secret. `sealed` can be decrypted for this
 * row only.
 */
interface FlowHookTable {
  flow_id: string
  org_id: string
  secret_hash: string
  sealed: string
  changed_at: string
  changed_by: string
  /** Calls that started a session within the minute that ends at `minute_ends_at`. */
  calls: number
  minute_ends_at: string | null
  /** The last call that started a session; null: none. */
  called_at: string | null
}

/** Members with a flow's editor open. */
interface FlowPresenceTable {
  flow_id: string
  person_id: string
  org_id: string
  name: string
  looks_until: string
  writes_until: string | null
}

/** The numbers of a flow's sessions that started and ended on a day, UTC. */
interface FlowDayTable {
  flow_id: string
  day: string
  org_id: string
  started: number
  finished: number
  handed_off: number
}

interface FlowTables {
  flow: FlowTable
  flow_version: FlowVersionTable
  flow_session: FlowSessionTable
  flow_step: FlowStepTable
  flow_day: FlowDayTable
  flow_secret: FlowSecretTable
  flow_hook: FlowHookTable
  flow_settings: FlowSettingsTable
  flow_test: FlowTestTable
  flow_presence: FlowPresenceTable
  flow_replay: FlowReplayTable
  flow_replayed: FlowReplayedTable
}

/** Settings for all flows of an organization. */
export interface FlowSettingsTable {
  org_id: string
  /** JSON, like the next two. */
  restart_words: string
  leave_words: string
  person_words: string
  expires_after_hours: number
  expired_text: string | null
  closed_text: string | null
  updated_at: string
}

declare module '#server/platform/db/database.ts' {
  interface Database extends FlowTables {}
}
