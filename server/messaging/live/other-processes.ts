import type { Databases } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'

/** The streams of a person to end: all, those of a session, or those of an organization. */
export interface Dropped {
  readonly userId: string
  readonly sessionId?: string
  readonly orgId?: string
}

interface OtherProcessesParts {
  readonly signals: Databases['signals']
  readonly log: Log
  /** The organization's table has events up to this number. */
  reach(orgId: string, seq: number): void
  /** Reads the newest numbers of all watched organizations. */
  reachAll(): Promise<void>
  drop(which: Dropped): void
}

/** Exchanges new events and ended streams with the other processes. */
export function joinOtherProcesses({ signals, log, reach, reachAll, drop }: OtherProcessesParts) {
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      await reachAll()
    } catch (error) {
      log.error({ err: error }, 'live events of other processes wait for the database')
    } finally {
      isLooking = false
    }
  }
  signals.hear('events', detail => {
    if (detail === undefined) return void look()
    const [orgId = '', seq] = detail.split(' ')
    reach(orgId, Number(seq))
  })
  signals.hear('streams', detail => {
    if (detail !== undefined) drop(JSON.parse(detail) as Dropped)
  })
  return {
    /** Notifies the other processes of committed events. */
    announceStored(events: readonly { readonly orgId: string; readonly seq: number }[]) {
      if (!signals.isShared) return
      const last = new Map<string, number>()
      for (const { orgId, seq } of events) last.set(orgId, Math.max(seq, last.get(orgId) ?? 0))
      for (const [orgId, seq] of last) signals.send('events', `${orgId} ${seq}`)
    },
    tellDropped: (which: Dropped) => signals.send('streams', JSON.stringify(which)),
  }
}
