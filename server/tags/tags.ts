import { maxTags } from '#shared/visibility.ts'
import type { Db } from '../db.ts'
import { hasTag, listTags, type StoredTag } from './store.ts'

/** The tags of an organization's contacts, for other rooms. */
export interface Tags {
  /** By label. */
  list(db: Db, orgId: string): Promise<StoredTag[]>
  has(db: Db, orgId: string, id: string): Promise<boolean>
}

export const createTags = (): Tags => ({ list: (db, orgId) => listTags(db, orgId, maxTags), has: hasTag })
