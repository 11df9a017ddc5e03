import type { AnyKind, Job } from '../job.ts'

/** Tracks the jobs that run in this process, with counts by kind, organization and pace key. */
export function createSlots() {
  const counts = new Map<string, number>()
  /** Jobs with a slot, by `seq`. */
  const placed = new Set<number>()

  const countKey = (kind: string, orgId?: string, paceKey?: string) =>
    orgId === undefined ? kind : paceKey === undefined ? `${kind} ${orgId}` : `${kind} ${orgId} ${paceKey}`
  const addCount = (key: string, more: number) => {
    const count = (counts.get(key) ?? 0) + more
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
  /** Grouped, because hundreds claimed together mostly have the same key. */
  const count = (jobs: readonly Job[], each: 1 | -1) => {
    for (let from = 0; from < jobs.length; ) {
      const { kind, orgId, paceKey } = jobs[from] as Job
      const isAlike = (job: Job) => job.kind === kind && job.orgId === orgId && job.paceKey === paceKey
      let to = from + 1
      while (to < jobs.length && isAlike(jobs[to] as Job)) to += 1
      const more = each * (to - from)
      addCount(kind, more)
      addCount(countKey(kind, orgId), more)
      addCount(countKey(kind, orgId, paceKey), more)
      from = to
    }
  }
  const take = (claimed: readonly { job: Job }[]) => {
    for (const { job } of claimed) placed.add(job.seq)
    count(
      claimed.map(({ job }) => job),
      1,
    )
  }
  /** Frees each job once, however often it is called. */
  const free = (over: readonly { job: Job }[]) => {
    const freed = over.flatMap(({ job }) => (placed.delete(job.seq) ? [job] : []))
    count(freed, -1)
  }

  return {
    take,
    free,
    has: (seq: number): boolean => placed.has(seq),
    size: (): number => placed.size,
    count: ({ name }: AnyKind, orgId?: string, paceKey?: string): number =>
      counts.get(countKey(name, orgId, paceKey)) ?? 0,
  }
}
