import type { ReplayVerdict } from '#shared/flows/replay.ts'
import type { SessionState } from '#shared/flows/runs.ts'

export interface FlowTable {
  id: string
  org_id: string
  name: string
  /** Who stands first is asked first. */
  position: number
  /** 0/1 */
  is_enabled: number
  /** JSON */
  graph: string
  /** JSON */
  triggers: string
  /** One more with each save of the draft. */
  revision: number
  /** null: never published. */
  published_revision: number | null
  version: number | null
  /** When something of the live version first cost more than a flow may; null: nothing has. */
  limited_at: string | null
  edited_at: string
  editor_id: string
  editor_name: string
  created_at: string
  deleted_at: string | null
}

/** As it was published; never changed. */
export interface FlowVersionTable {
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

/** A contact in a flow: one at a time. */
export interface FlowSessionTable {
  id: string
  org_id: string
  flow_id: string
  version: number
  contact_id: string
  conversation_id: string
  trigger: string
  /** null: it is no test. */
  test_id: string | null
  /** What a program that began it by the flow's address called it, hashed; null: nothing. */
  client_key: string | null
  state: SessionState
  reason: string | null
  /** JSON: `SessionPlace` of server/features/flows/step/turn.ts */
  place: string
  steps: number
  wakes_at: string | null
  started_at: string
  moved_at: string
  ended_at: string | null
}

export interface FlowStepTable {
  session_id: string
  /** In the order of the session, from 1. */
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

/** What services are called with; `sealed` opens in this row alone. */
export interface FlowSecretTable {
  org_id: string
  name: string
  host: string
  sealed: string
  changed_at: string
  changed_by: string
}

/** A draft on its author's own telephone, where the code begins it. */
export interface FlowTestTable {
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
  /** Sessions it began; null: all. */
  trigger: string | null
  state: 'running' | 'stopped' | 'done'
  total: number
  done: number
  after: string
  started_at: string
  started_by: string
  ended_at: string | null
}

export interface FlowReplayedTable {
  replay_id: string
  place: number
  org_id: string
  session_id: string
  conversation_id: string
  verdict: ReplayVerdict
}

/** Where other programs begin a flow: an address with a secret, found by its hash. `sealed` opens in this row alone. */
export interface FlowHookTable {
  flow_id: string
  org_id: string
  secret_hash: string
  sealed: string
  changed_at: string
  changed_by: string
  /** Calls that began a session since the minute began that ends then. */
  calls: number
  minute_ends_at: string | null
  /** The last call that began a session; null: none did. */
  called_at: string | null
}

/** Who has a flow's editor open. */
export interface FlowPresenceTable {
  flow_id: string
  person_id: string
  org_id: string
  name: string
  looks_until: string
  writes_until: string | null
}

/** Sessions of a flow that began and ended on a day, UTC. */
export interface FlowDayTable {
  flow_id: string
  day: string
  org_id: string
  started: number
  finished: number
  handed_off: number
}

export interface FlowTables {
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

/** What holds for all flows of an organization. */
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
