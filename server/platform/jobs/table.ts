import type { Generated } from 'kysely'

export type JobState = 'scheduled' | 'waiting' | 'running' | 'retrying' | 'parked' | 'done' | 'failed' | 'cancelled'

interface JobTable {
  seq: Generated<number>
  /** Empty: belongs to the installation. */
  org_id: string
  kind: string
  /** Rank of its lane, see `lane.ts`. */
  lane: number
  /** Kind, lane, organization and pace key in one text: the unit that is served in turn. */
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
  /** The request that added it, see `log/trace.ts`; null: other work did. */
  trace: string | null
  added_at: string
  finished_at: string | null
}

/** A live process. */
interface JobWorkerTable {
  id: string
  /** The host on which its pid is valid, see `ProcessHost`. Null: unknown. */
  place: string | null
  pid: number
  seen_at: string
}

interface JobPaceTable {
  org_id: string
  pace_key: string
  /** Null: unlimited, only a pause until `free_at`. */
  per_second: number | null
  free_at: string
}

/** Work that one process does at a time. */
interface JobLeaseTable {
  name: string
  /** A live process, or one that has died. */
  owner: string
}

interface JobsTables {
  job: JobTable
  job_worker: JobWorkerTable
  job_pace: JobPaceTable
  job_lease: JobLeaseTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends JobsTables {}
}
