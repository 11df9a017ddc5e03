import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { WebhookFilter, WebhookType } from '#shared/outgoing-webhooks/api.ts'
import { listWebhooks } from './webhook-store.ts'

/** An active webhook, as far as choosing its events goes. */
export interface Listening {
  readonly name: string
  readonly events: ReadonlySet<WebhookType>
  readonly filter: WebhookFilter
}

interface Kept {
  readonly standard: readonly Listening[]
  readonly takesRaw: boolean
}

const maxKept = 5_000

/**
 * The active webhooks of each organization, cached in memory: most organizations have none, and every change of data
 * asks. A change in another process is heard within a second.
 */
export function createListening({ signals }: Pick<Databases, 'signals'>) {
  const kept = new Map<string, Kept>()
  signals.hear('webhooks', orgId => {
    if (orgId === undefined) kept.clear()
    else kept.delete(orgId)
  })

  const find = async (db: Db, orgId: string): Promise<Kept> => {
    const known = kept.get(orgId)
    if (known) return known
    const active = (await listWebhooks(db, orgId)).filter(webhook => webhook.active)
    const standard = active.flatMap(({ name, events, filter, format }) =>
      format === 'standard' ? [{ name, events: new Set(events), filter: filter ?? {} }] : [],
    )
    const found = { standard, takesRaw: active.some(({ format }) => format === 'meta') }
    if (kept.size >= maxKept) kept.clear()
    kept.set(orgId, found)
    return found
  }

  return {
    /** The webhooks that get events. */
    of: async (db: Db, orgId: string): Promise<readonly Listening[]> => (await find(db, orgId)).standard,
    /** True if a webhook takes Meta's webhooks as they came. */
    takesRaw: async (db: Db, orgId: string): Promise<boolean> => (await find(db, orgId)).takesRaw,
    /** Call it in each write that changes webhooks. */
    changed({ orgId, afterCommit }: Pick<OrgWrite, 'orgId' | 'afterCommit'>): void {
      kept.delete(orgId)
      afterCommit(() => {
        kept.delete(orgId)
        signals.send('webhooks', orgId)
      })
    },
  }
}
export type ListeningWebhooks = ReturnType<typeof createListening>
