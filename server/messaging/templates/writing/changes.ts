import type { DomainEvent } from '#server/platform/events/domain.ts'
import type { StoredTemplate } from '../store.ts'

type Changed = Extract<DomainEvent, { type: 'template.changed' }>

export const templateChanged = (
  template: Pick<StoredTemplate, 'id' | 'name' | 'language' | 'status' | 'category' | 'quality'>,
  facts: { before?: StoredTemplate | undefined; byVendor?: boolean; removed?: boolean } = {},
): Changed => {
  const { before, byVendor = false, removed = false } = facts
  const { id, name, language, status, category, quality } = template
  return {
    type: 'template.changed',
    data: {
      id,
      name,
      language,
      status,
      category,
      quality,
      before: before ? { status: before.status, category: before.category, quality: before.quality } : null,
      byVendor,
      removed,
    },
  }
}
