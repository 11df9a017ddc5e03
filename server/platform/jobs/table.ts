import type { Generated } from 'kysely'

export type JobState = 'scheduled' | 'waiting' | 'running' | 'retrying' | 'parked' | 'done' | 'failed' | 'cancelled'

export interface JobTable {
  seq: Generated<number>
  /** Empty: the installation's own. */
  org_id: string
  kind: string
  /** Rank of its lane, see `lane.ts`. */
  lane: number
  /** Kind, lane, organization and pace key in one word: what is served in turn. */
  queue: string
  order_key: string | null
  pace_key: string
  unique_key: string | null
  payload: string
  state: JobState
  blocked: number
  attempts: number
  due_at: string
  owner: string | null
  reason: string | null
  added_at: string
  finished_at: string | null
}

/** A process at work. */
export interface JobWorkerTable {
  id: string
  /** Where its pid means something; null where that is not known. */
  place: string | null
  pid: number
  seen_at: string
}

export interface JobPaceTable {
  org_id: string
  pace_key: string
  /** Null: no limit, only a pause until `free_at`. */
  per_second: number | null
  free_at: string
}

/** Work that one process at a time does. */
export interface JobLeaseTable {
  name: string
  /** A process at work, or one that is gone. */
  owner: string
}

export interface JobsTables {
  job: JobTable
  job_worker: JobWorkerTable
  job_pace: JobPaceTable
  job_lease: JobLeaseTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends JobsTables {}
}
