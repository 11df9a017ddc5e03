import { setImmediate as nextTurn } from 'node:timers/promises'
import { sees, type Viewer } from '#server/identity/visibility/scope.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import type { Deriving } from '#server/platform/events/listeners.ts'
import type { Notice, Notify, Words } from '#server/platform/events/notify.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { isTimeZone } from '#shared/kernel/time.ts'
import {
  keptNotifications,
  maxMutedConversations,
  maxUnreadShown,
  type Notification,
  type NotificationSettings,
  type NotificationSummary,
  notificationEventPrefix,
  type notificationsApi,
  notificationsPerPage,
} from '#shared/notifications/api.ts'
import { isQuietAt } from '#shared/notifications/quiet-hours.ts'
import { listMuted, mutersOf, renew, saveMute, unreadAbout } from './conversation-store.ts'
import { notificationErrors } from './errors.ts'
import { saveSettings, settingsOf } from './settings-store.ts'
import {
  countUnread,
  deleteNotificationsBefore,
  findNotification,
  insertNotifications,
  listNotifications,
  listOwners,
  markNotification,
  markNotifications,
  membersWithRole,
  type Owner,
  type Reader,
  type StoredNotification,
  trimNotifications,
} from './store.ts'

export interface Notifications extends ServiceOf<typeof notificationsApi, Member>, Notify {
  /** Deletes notifications older than 90 days, and beyond a person's newest thousand. Returns how many. */
  prune(now?: Date): Promise<number>
}

/** Fits into two lines of the bell. */
const maxSaidChars = 160
const cutTo = (text: string, most: number): string => [...text].slice(0, most).join('')

const keptMs = keptNotifications.days * 24 * 60 * 60 * 1000
const pruneRows = 500
const pruneReaders = 200

const bareId = (id: string) => (id.startsWith(notificationEventPrefix) ? id.slice(notificationEventPrefix.length) : id)

export interface NotificationsParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly scopes: Pick<Scopes, 'scopesOf' | 'factsOf'>
  ids(at?: number): string
  translate(language: Language, key: string, params?: Record<string, string | number>): string
  /** Customer and last message of these conversations, of those the reader sees. */
  summarize(
    db: Db,
    reader: Viewer,
    conversationIds: readonly string[],
  ): Promise<ReadonlyMap<string, { name: string; said?: { type: string; text: string } }>>
}

/** Each person's notifications, and how other features create them. */
export function createNotifications(parts: NotificationsParts): Notifications {
  const { databases, clock, ids, translate, writes, scopes, summarize } = parts
  const present = (one: StoredNotification, language: Language): Notification => ({
    id: one.id,
    title: one.words ? translate(language, `notices:${one.words.key}.title`, one.words.params) : one.oldTitle,
    message: one.words ? translate(language, `notices:${one.words.key}.message`, one.words.params) : one.oldMessage,
    viewed: one.viewed,
    createdAt: one.createdAt,
    redirect: one.redirect,
  })

  const aboutOf = (
    { name, said }: { name: string; said?: { type: string; text: string } },
    language: Language,
  ): NonNullable<Notification['about']> => ({
    name,
    ...(said ? { said: cutTo(said.text, maxSaidChars) || translate(language, `inbox:kind.${said.type}`) } : {}),
  })

  const viewedEvent = (userId: string, one: StoredNotification): DomainEvent => ({
    type: 'notification.viewed',
    data: {
      id: one.id,
      userId,
      words: one.words,
      title: one.oldTitle,
      message: one.oldMessage,
      redirect: one.redirect,
      conversationId: one.conversationId,
    },
  })

  const preferencesEvent = ({ userId }: Member): DomainEvent => ({
    type: 'notification.preferencesChanged',
    data: { userId },
  })

  /** The text for several messages, or the notice's own text for one. */
  const wordsOf = ({ words, conversation }: Notice, count: number): Words => {
    if (!conversation || count === 1) return words
    const { key, params } = conversation.several
    return { key, params: { ...params, count } }
  }

  /** Returns the people who see the conversation. Without a conversation, all of them. */
  const whoSees = async ({ db, orgId }: Deriving, userIds: readonly string[], conversationId: string | undefined) => {
    const people = [...new Set(userIds)]
    const theirs = conversationId === undefined ? null : await scopes.scopesOf(db, orgId, people)
    if (!theirs || conversationId === undefined) return people
    const facts = (await scopes.factsOf(orgId, [conversationId], db)).get(conversationId)
    return people.filter(userId => {
      const scope = theirs.get(userId)
      return scope !== undefined && sees(scope, facts)
    })
  }

  const notify: Notifications['notify'] = async (write, { userIds, ...notice }, place) => {
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
    const muters = conversation ? await mutersOf(db, orgId, conversation.id, people) : new Set<string>()
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

  const summaryOf = (db: Db, reader: Reader): Promise<NotificationSummary> =>
    countUnread(db, reader, maxUnreadShown + 1)

  const ownSettings = async (db: Db, { orgId, userId }: Owner): Promise<NotificationSettings> => {
    const found = (await settingsOf(db, orgId, [userId])).get(userId)
    if (!found) throw new Error('The notification settings of a requested person are missing')
    return { ...found, mutedConversations: await listMuted(db, { orgId, userId }, maxMutedConversations) }
  }

  /** Emits one event for all of them, for the person's other tabs. */
  const markMany = async (member: Member, which: Parameters<typeof markNotifications>[2]) => {
    const { orgId, userId } = member
    await writes.run(orgId, actorOf(member), async write => {
      const newest = await markNotifications(write.db, member, which, clock.now().toISOString())
      if (newest) write.emit(viewedEvent(userId, newest))
    })
    return summaryOf(databases.read, member)
  }

  /** One person after another, with pauses, because there can be many. */
  const trimAll = async () => {
    let gone = 0
    let after: Owner | undefined
    do {
      const readers = await listOwners(databases.read, after, pruneReaders)
      for (const { orgId, userId } of readers) {
        gone += await inBatches(pruneRows, limit =>
          inTransaction(databases, trx =>
            trimNotifications(trx, orgId, userId, { kept: keptNotifications.perPerson, limit }),
          ),
        )
        await nextTurn()
      }
      after = readers.at(-1)
    } while (after)
    return gone
  }

  return {
    async list(member, { query }) {
      const before = query.before === undefined ? undefined : bareId(query.before)
      const found = await listNotifications(databases.read, member, { before, limit: notificationsPerPage })
      const ids = [...new Set(found.flatMap(one => one.conversationId ?? []))]
      const summaries = ids.length ? await summarize(databases.read, member, ids) : undefined
      return found.map(one => {
        const summary = summaries?.get(one.conversationId ?? '')
        return { ...present(one, member.language), ...(summary ? { about: aboutOf(summary, member.language) } : {}) }
      })
    },
    summary: member => summaryOf(databases.read, member),
    /**
     * Marks it and informs the person's other tabs. Repeating it changes nothing. @throws NOTIFICATIONS_NOT_FOUND, also
     * for another person's.
     */
    async markViewed(member, { query }) {
      const { orgId, userId, language } = member
      const id = bareId(query.id)
      const found = await writes.run(orgId, actorOf(member), async write => {
        const isNews = await markNotification(write.db, member, id, clock.now().toISOString())
        const stored = await findNotification(write.db, member, id)
        if (!stored) throw notificationErrors.NOT_FOUND()
        if (isNews) write.emit(viewedEvent(userId, stored))
        return stored
      })
      return present(found, language)
    },
    markAllViewed: (member, { body }) => markMany(member, { upTo: bareId(body.upTo) }),
    markSeenAt: (member, { body }) => markMany(member, { redirect: body.redirect }),
    /** @throws NOTIFICATIONS_NOT_FOUND when the organization has no such conversation. */
    mute: (member, { params, body }) =>
      writes.run(member.orgId, actorOf(member), async ({ db, emit }) => {
        const mute = { conversationId: params.id, muted: body.muted, at: clock.now().toISOString() }
        if (!(await saveMute(db, member, mute))) throw notificationErrors.NOT_FOUND()
        const muted = body.muted ? await listMuted(db, member, maxMutedConversations + 1) : []
        if (muted.length > maxMutedConversations)
          throw notificationErrors.TOO_MANY_MUTED({ params: { limit: maxMutedConversations } })
        emit(preferencesEvent(member))
        return ownSettings(db, member)
      }),
    getSettings: member => ownSettings(databases.read, member),
    /** @throws InvalidInput for an unknown time zone, or quiet hours of zero length. */
    async changeSettings(member, { body }) {
      const { quiet } = body
      if (quiet && !isTimeZone(quiet.timeZone))
        throw new InvalidInput([{ field: 'body.quiet.timeZone', code: 'format', params: {} }])
      if (quiet && quiet.from === quiet.to)
        throw new InvalidInput([{ field: 'body.quiet.to', code: 'invalid', params: {} }])
      return writes.run(member.orgId, actorOf(member), async ({ db, emit }) => {
        const next = { ...(await ownSettings(db, member)), ...body }
        await saveSettings(db, member.orgId, member.userId, next, clock.now().toISOString())
        emit(preferencesEvent(member))
        return next
      })
    },
    notify,
    async notifyRoles(write, roles, { except, ...notice }, place) {
      const userIds = await membersWithRole(write.db, write.orgId, roles)
      await notify(write, { ...notice, userIds: userIds.filter(id => id !== except) }, place)
    },
    async prune(now = clock.now()) {
      const before = new Date(now.getTime() - keptMs).toISOString()
      const old = await inBatches(pruneRows, limit =>
        inTransaction(databases, trx => deleteNotificationsBefore(trx, before, limit)),
      )
      return old + (await trimAll())
    },
  }
}
