import { sees } from '#server/identity/visibility/scope.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Deriving } from '#server/platform/events/listeners.ts'
import type { Notice, Notify, Words } from '#server/platform/events/notify.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { isQuietAt } from '#shared/notifications/quiet-hours.ts'
import { listMuters, renew, unreadAbout } from './conversation-store.ts'
import { settingsOf } from './settings-store.ts'
import { insertNotifications, membersWithRole } from './store.ts'

interface NotifyingParts {
  readonly clock: Clock
  readonly scopes: Pick<Scopes, 'readScopes' | 'readFacts'>
  ids(at?: number): string
}

/** The text for several messages, or the notice's own text for one. */
const wordsOf = ({ words, conversation }: Notice, count: number): Words => {
  if (!conversation || count === 1) return words
  const { key, params } = conversation.several
  return { key, params: { ...params, count } }
}

/** Creates notifications in the transaction of what they are about. Unread ones about a conversation become one. */
export function createNotify({ clock, scopes, ids }: NotifyingParts): Notify {
  /** Returns the people who see the conversation. Without a conversation, all of them. */
  const whoSees = async ({ db, orgId }: Deriving, userIds: readonly string[], conversationId: string | undefined) => {
    const people = [...new Set(userIds)]
    const theirs = conversationId === undefined ? null : await scopes.readScopes(db, orgId, people)
    if (!theirs || conversationId === undefined) return people
    const facts = (await scopes.readFacts(orgId, [conversationId], db)).get(conversationId)
    return people.filter(userId => {
      const scope = theirs.get(userId)
      return scope !== undefined && sees(scope, facts)
    })
  }

  const notify: Notify['notify'] = async (write, { userIds, ...notice }, place) => {
    const people = await whoSees(write, userIds, notice.conversation?.id)
    if (!people.length) return
    const { db, orgId } = write
    const { conversation, redirect = null } = notice
    const conversationId = conversation?.id ?? null
    const now = clock.now()
    const createdAt = now.toISOString()
    const newId = () => ids(now.getTime())
    const unread = conversation ? await unreadAbout(db, orgId, conversation.id, people) : []
    const known = new Map(unread.map(one => [one.userId, one]))
    const news = people.map(userId => {
      const before = known.get(userId)
      const count = (before?.count ?? 0) + (conversation?.count ?? 1)
      const id = before?.id ?? newId()
      return { id, userId, words: wordsOf(notice, count), count, redirect, conversationId, createdAt }
    })
    await insertNotifications(
      db,
      orgId,
      news.filter(one => !known.has(one.userId)),
    )
    for (const one of news) if (known.has(one.userId)) await renew(db, orgId, one, newId())
    const settings = await settingsOf(db, orgId, people)
    const muters = conversation ? await listMuters(db, orgId, conversation.id, people) : new Set<string>()
    for (const { id, userId, words } of news) {
      const preferences = settings.get(userId)
      const push =
        preferences?.push === true &&
        !preferences.muted &&
        !muters.has(userId) &&
        !isQuietAt(preferences.quiet, createdAt)
      write.emit({ type: 'notification.raised', data: { id, userId, words, redirect, conversationId, push } }, place)
    }
  }

  return {
    notify,
    async notifyRoles(write, roles, { except, ...notice }, place) {
      const userIds = await membersWithRole(write.db, write.orgId, roles)
      await notify(write, { ...notice, userIds: userIds.filter(id => id !== except) }, place)
    },
  }
}
