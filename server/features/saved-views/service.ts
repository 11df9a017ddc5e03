import { countQueries } from '#server/messaging/conversations/list/list-query.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { affectedAuthors, isOwn, requireChangeable } from '#server/platform/http/own-or-shared.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { fold } from '#shared/kernel/fold.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import { maxViews, type SavedView, type savedViewsApi } from '#shared/saved-views/api.ts'
import { shownViews } from '#shared/saved-views/shown.ts'
import { viewErrors } from './errors.ts'
import { findView, insertView, listViews, removeView, type StoredView, saveView } from './store.ts'

const refuse = (field: 'name' | 'shared') => new InvalidInput([{ field: `body.${field}`, code: 'invalid', params: {} }])

/** @throws InvalidInput for a name without visible characters. */
const nameOf = (typed: string): string => {
  const name = typed.normalize('NFC').trim().replace(/\s+/g, ' ')
  if (!isPlainName(name)) throw refuse('name')
  return name
}

/** Named filters of the conversation list. Everybody has the shared ones and their own. */
export function createSavedViews({
  clock,
  databases,
  ids,
  writes,
}: {
  clock: Clock
  databases: Databases
  ids(): string
  writes: Pick<Writes, 'run'>
}): ServiceOf<typeof savedViewsApi, OrgCaller> {
  const listOf = (db: Db, caller: OrgCaller) =>
    listViews(db, caller.orgId, { authorId: callerId(caller), most: maxViews })

  const present = (caller: OrgCaller, { authorId, ...view }: StoredView): SavedView => ({
    ...view,
    own: isOwn({ authorId, ...view }, caller),
  })

  /** @throws SAVED_VIEWS_NAME_TAKEN, SAVED_VIEWS_TOO_MANY */
  const requireBelowLimit = async (db: Db, caller: OrgCaller, view: StoredView): Promise<void> => {
    const others = (await listOf(db, caller)).filter(({ id, shared }) => id !== view.id && shared === view.shared)
    if (others.some(({ name }) => fold(name) === fold(view.name)))
      throw viewErrors.NAME_TAKEN({ fields: ['body.name'], params: { name: view.name } })
    if (others.length >= maxViews) throw viewErrors.TOO_MANY({ params: { limit: maxViews } })
  }

  /** Read-only roles cannot share views. */
  const requireMayShare = (caller: OrgCaller, isShared: boolean) => {
    if (isShared && !roleCan(caller.role, 'chat:reply')) throw refuse('shared')
  }

  /** @throws SAVED_VIEWS_NOT_FOUND, SAVED_VIEWS_NOT_YOURS */
  const requireView = async ({ db, orgId }: OrgWrite, caller: OrgCaller, id: string): Promise<StoredView> =>
    requireChangeable(await findView(db, orgId, id), caller, viewErrors)

  const emitChanged = ({ emit }: OrgWrite, ...versions: readonly StoredView[]) =>
    emit({ type: 'savedView.changed', data: { userIds: affectedAuthors(...versions) } })

  /** The query of the list for a view. */
  const queryOf = (caller: OrgCaller, { id, filter: { tags, assignee, ...view } }: StoredView) => ({
    ...view,
    id,
    tag: tags,
    assignee: assignee === 'me' ? callerId(caller) : assignee,
  })

  return {
    countViews: async caller => {
      const queries = shownViews(await listOf(databases.read, caller)).map(view => queryOf(caller, view))
      return { items: await countQueries(databases.read, caller, queries, clock.now()) }
    },

    listViews: async caller => ({ items: (await listOf(databases.read, caller)).map(view => present(caller, view)) }),

    createView: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { filter, shared = false } = body
        requireMayShare(caller, shared)
        const view = { id: ids(), authorId: callerId(caller), shared, name: nameOf(body.name), filter }
        await requireBelowLimit(write.db, caller, view)
        await insertView(write.db, write.orgId, view)
        emitChanged(write, view)
        return present(caller, view)
      }),

    changeView: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const before = await requireView(write, caller, params.id)
        const after = { ...before, ...body, name: nameOf(body.name ?? before.name) }
        requireMayShare(caller, after.shared)
        // A shared view cannot be made private by somebody who is not its author.
        if (!after.shared && !isOwn(after, caller)) throw refuse('shared')
        await requireBelowLimit(write.db, caller, after)
        await saveView(write.db, write.orgId, after)
        emitChanged(write, before, after)
        return present(caller, after)
      }),

    deleteView: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const view = await requireView(write, caller, params.id)
        await removeView(write.db, write.orgId, view.id)
        emitChanged(write, view)
        return { success: true }
      }),
  }
}
