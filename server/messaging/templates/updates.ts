import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { WebhookItem } from '#server/whatsapp/inbound.ts'
import { readTemplateUpdate, type TemplateUpdate } from '#server/whatsapp/template-updates.ts'
import { templateChanged } from './changes.ts'
import { deleteTemplates, findByKey, replaceTemplate, type StoredTemplate } from './store.ts'

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

/**
 * Applies template webhooks, in the caller's transaction. Idempotent. Unknown templates and changed texts are read from
 * Meta's list shortly after.
 */
export async function applyTemplateUpdates(
  write: OrgWrite,
  items: readonly WebhookItem[],
  parts: { clock: Clock; askForSync(write: OrgWrite): Promise<void> },
): Promise<void> {
  const { db: trx, orgId, emit } = write
  const now = isoNow(parts.clock)
  for (const item of items) {
    const update = item.kind === 'management' ? readTemplateUpdate(item.field, item.value) : undefined
    if (!update) continue
    const before = await findByKey(trx, orgId, item.wabaId, update)
    if (!before || update.kind === 'components') {
      if (update.kind !== 'status' || update.status !== 'DELETED') await parts.askForSync(write)
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
