import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { readTemplateUpdate, type TemplateUpdate } from '#server/whatsapp/fields/template-updates.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { verdictOf } from '#shared/templates/words.ts'
import { deleteTemplates, findByKey, replaceTemplate, type StoredTemplate } from '../store.ts'
import { templateChanged } from '../writing/changes.ts'

const pauseEnd = (pausedMs: number | null, at: string): string | null =>
  pausedMs === null ? null : new Date(Date.parse(at) + pausedMs).toISOString()

/** `at`: when Meta changed it. */
const changed = (template: StoredTemplate, update: TemplateUpdate, at: string): StoredTemplate => {
  switch (update.kind) {
    case 'status':
      return {
        ...template,
        status: update.status,
        category: update.category ?? template.category,
        rejectedReason: verdictOf(update.status) === 'rejected' ? update.reason : null,
        note: update.note,
        pausedUntil: pauseEnd(update.pausedMs, at),
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
  a.note === b.note &&
  a.pausedUntil === b.pausedUntil

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
    if (item.kind !== 'management') continue
    const update = readTemplateUpdate(item.field, item.value)
    if (!update) continue
    const before = await findByKey(trx, orgId, item.wabaId, update)
    if (!before || update.kind === 'components') {
      if (update.kind !== 'deleted') await parts.askForSync(write)
      continue
    }
    if (update.kind === 'deleted') {
      await deleteTemplates(trx, orgId, [before.id])
      emit(templateChanged(before, { before, byVendor: true, removed: true }))
      continue
    }
    const after = { ...changed(before, update, item.at ?? now), updatedAt: now }
    if (isSame(before, after)) continue
    await replaceTemplate(trx, orgId, before.id, after)
    emit(templateChanged(after, { before, byVendor: true }))
  }
}
