import { type Clock, isoNow } from '../clock.ts'
import type { Db } from '../db.ts'
import type { OrgWrite } from '../events/writes.ts'
import type { WebhookItem } from '../whatsapp/inbound.ts'
import { readTemplateUpdate, type TemplateUpdate } from '../whatsapp/template-updates.ts'
import { templateChanged } from './changes.ts'
import { deleteTemplates, findByKey, replaceTemplate, type StoredTemplate } from './store.ts'
import { findSync, saveSync } from './sync-store.ts'

const changed = (template: StoredTemplate, update: TemplateUpdate): StoredTemplate => {
  switch (update.kind) {
    case 'status':
      return {
        ...template,
        status: update.status,
        category: update.category ?? template.category,
        rejectedReason: update.status === 'REJECTED' ? update.reason : null,
        note: update.note,
      }
    case 'quality':
      return { ...template, quality: update.quality }
    case 'category':
      return update.isWarning ? { ...template, note: update.next } : { ...template, category: update.category }
    default:
      return template
  }
}

const isSame = (a: StoredTemplate, b: StoredTemplate) =>
  a.status === b.status &&
  a.category === b.category &&
  a.quality === b.quality &&
  a.rejectedReason === b.rejectedReason &&
  a.note === b.note

/** Asks for the list the next time somebody looks for what is due. */
const askForSync = async (trx: Db, orgId: string, wabaId: string, now: string) => {
  const known = await findSync(trx, orgId)
  const before = known?.wabaId === wabaId ? known : { syncedAt: null, failure: null }
  await saveSync(trx, orgId, { wabaId, dueAt: now, syncedAt: before.syncedAt, failure: before.failure })
}

/**
 * What webhooks say of templates, in the caller's write. The same webhook again changes
 * nothing. What we do not know, and texts that changed, are read from Meta's list soon after.
 */
export async function applyTemplateUpdates(
  { db: trx, orgId, emit }: OrgWrite,
  items: readonly WebhookItem[],
  parts: { clock: Clock },
): Promise<void> {
  const now = isoNow(parts.clock)
  for (const item of items) {
    const update = item.kind === 'management' ? readTemplateUpdate(item.field, item.value) : undefined
    if (!update) continue
    const before = await findByKey(trx, orgId, item.wabaId, update)
    if (!before || update.kind === 'components') {
      if (update.kind !== 'status' || update.status !== 'DELETED') await askForSync(trx, orgId, item.wabaId, now)
      continue
    }
    if (update.kind === 'status' && update.status === 'DELETED') {
      await deleteTemplates(trx, orgId, [before.id])
      emit(templateChanged(before, { before, byVendor: true, removed: true }))
      continue
    }
    const after = { ...changed(before, update), updatedAt: now }
    if (isSame(before, after)) continue
    await replaceTemplate(trx, orgId, before.id, after)
    emit(templateChanged(after, { before, byVendor: true }))
  }
}
