import type { DomainEvent } from '#server/platform/events/domain.ts'
import type { Deriving, TransactionListener } from '#server/platform/events/listeners.ts'
import { affectedAuthors } from '#server/platform/http/own-or-shared.ts'
import type { ViewFilter } from '#shared/saved-views/api.ts'
import { listViewsWithTag, removeOwnViews, removeView, type StoredView, saveView } from './store.ts'

const viewsAtOnce = 100

/** The filter with a deleted tag replaced or removed. Undefined: nothing is left to filter. */
const follow = (
  { tags = [], ...rest }: ViewFilter,
  tagId: string,
  into: string | undefined,
): ViewFilter | undefined => {
  const left = [...new Set(tags.flatMap(id => (id === tagId ? (into ?? []) : id)))]
  const filter = left.length ? { ...rest, tags: left } : rest
  return Object.keys(filter).length ? filter : undefined
}

const tell = ({ emit }: Deriving, view: StoredView, event: DomainEvent) =>
  emit({ type: 'savedView.changed', data: { userIds: affectedAuthors(view) } }, { after: event })

/** Updates views when their tags are deleted or merged, and deletes private views of members who leave. */
export const createViewsFollow = (): TransactionListener<'tag.deleted' | 'tag.merged' | 'member.left'> => ({
  name: 'views of what is gone',
  on: ['tag.deleted', 'tag.merged', 'member.left'],
  async handle(write, events) {
    const { db, orgId } = write
    for (const event of events) {
      if (event.type === 'member.left') {
        await removeOwnViews(db, orgId, event.data.userId)
        continue
      }
      const { tagId } = event.data
      const into = event.type === 'tag.merged' ? event.data.into.id : undefined
      // Changed views no longer have the tag, so the next query does not find them.
      for (;;) {
        const views = await listViewsWithTag(db, orgId, tagId, viewsAtOnce)
        for (const view of views) {
          const filter = follow(view.filter, tagId, into)
          if (filter) await saveView(db, orgId, { ...view, filter })
          else await removeView(db, orgId, view.id)
          tell(write, view, event)
        }
        if (views.length < viewsAtOnce) break
      }
    }
  },
})
