import type { Databases } from '#server/platform/db/db.ts'
import { packDay } from './packer.ts'
import { findPack, listPacked } from './store.ts'

/** The newest packed days, of all organizations together. */
const daysChecked = 50

export interface PackCheck {
  readonly days: number
  /** Days whose pack differs from their segments; a healthy database has none. */
  readonly different: readonly string[]
}

/** Compares packs with the segments of their days. A day that changes meanwhile is left out. */
export async function checkPacks(databases: Pick<Databases, 'read' | 'turn'>): Promise<PackCheck> {
  const different: string[] = []
  const keys = await listPacked(databases.read, daysChecked)
  for (const key of keys) {
    const made = await packDay(databases, key)
    const stored = await findPack(databases.read, key)
    if (!stored?.data) continue
    const isSame =
      made?.data.equals(stored.data) && made.ids === stored.ids && made.conversationIds === stored.conversation_ids
    if (!isSame) different.push(`${key.org_id} ${key.day}`)
  }
  return { days: keys.length, different }
}
