import type { DomainEvent } from '#shared/events/domain.ts'
import type { StoredTemplate } from './store.ts'

type Changed = Extract<DomainEvent, { type: 'template.changed' }>

export const templateChanged = (
  template: Pick<StoredTemplate, 'id' | 'name' | 'language' | 'status' | 'category'>,
  facts: { before?: StoredTemplate | undefined; byVendor?: boolean; removed?: boolean } = {},
): Changed => {
  const { before, byVendor = false, removed = false } = facts
  const { id, name, language, status, category } = template
  return {
    type: 'template.changed',
    data: {
      id,
      name,
      language,
      status,
      category,
      before: before ? { status: before.status, category: before.category } : null,
      byVendor,
      removed,
    },
  }
}
