import type { ServiceOf } from '#shared/contract.ts'
import type { DomainEvent } from '#shared/events/domain.ts'
import type { Language } from '#shared/language.ts'
import type { LiveEvents } from '#shared/live.ts'
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
} from '#shared/notifications.ts'
import type { OrgRole } from '#shared/permissions.ts'
import { isQuietAt } from '#shared/quiet-hours.ts'
import { isTimeZone } from '#shared/time.ts'
import type { Member } from '../actor.ts'
import type { Clock } from '../clock.ts'
import { type Databases, type Db, inTransaction } from '../db.ts'
import { personActor } from '../events/actors.ts'
import type { Writes } from '../events/writes.ts'
import type { EventDraft } from '../live/hub.ts'
import { InvalidInput } from '../validate.ts'
import { listMuted, mutersOf, saveMute, tellAgain, unreadAbout } from './conversation-store.ts'
import { notificationErrors } from './errors.ts'
import { saveSettings, settingsOf } from './settings-store.ts'
import {
  countUnread,
  deleteNotificationsBefore,
  findNotification,
  hasNotifications,
  insertNotifications,
  listNotifications,
  listReaders,
  markNotification,
  markNotifications,
  membersWithRole,
  type Reader,
  type StoredNotification,
  trimNotifications,
  type Words,
} from './store.ts'

export interface Notice {
  readonly title: string
  readonly message: string
  /** Begins with `/`, relative to `/org/{slug}/c`; null or absent: it leads nowhere. */
  readonly redirect?: string | null
  /** What `title` and `message` say in Spanish, for readers of other languages; absent: it has no other words. */
  readonly words?: Words
  /** The conversation it is about: unread ones of one conversation become one. */
  readonly conversation?: {
    readonly id: string
    /** How many things this notice tells; absent: one. */
    readonly count?: number
    /** What is said of several, with `count` among its parameters. */
    readonly several: Words
  }
}

/** Who is to be reached in a closed browser. Given by the push room. */
export interface PushQueue {
  /** Inside the caller's transaction. */
  enqueue(trx: Db, orgId: string, news: readonly { id: string; userId: string }[]): Promise<void>
}

export interface Notifications extends ServiceOf<typeof notificationsApi, Member> {
  /**
   * Stores one notification for each of these people inside the caller's transaction and answers their `notify`
   * events, for `live.record` in the same transaction. Nobody: nothing.
   */
  notify(trx: Db, orgId: string, notice: Notice & { userIds: readonly string[] }): Promise<EventDraft[]>
  /** The same for the members who have one of these roles. */
  notifyRoles(trx: Db, orgId: string, roles: readonly OrgRole[], notice: Notice): Promise<EventDraft[]>
  /** Deletes what is older than 90 days, and what a person has beyond the newest thousand; answers how many went. */
  prune(now?: Date): Promise<number>
}

const keptMs = keptNotifications.days * 24 * 60 * 60 * 1000
const pruneRows = 500
const pruneReaders = 200

const bareId = (id: string) => (id.startsWith(notificationEventPrefix) ? id.slice(notificationEventPrefix.length) : id)

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

export interface NotificationsParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  ids(at?: number): string
  translate(language: Language, key: string, params?: Record<string, string | number>): string
  readonly push: PushQueue
}

/** The notifications of each person, and the door through which other rooms write them. */
export function createNotifications({
  databases,
  clock,
  ids,
  push,
  translate,
  writes,
}: NotificationsParts): Notifications {
  const present = ({ words, ...one }: StoredNotification, language: Language): Notification =>
    words === null || language === 'es'
      ? one
      : {
          ...one,
          title: translate(language, `notices:${words.key}.title`, words.params),
          message: translate(language, `notices:${words.key}.message`, words.params),
        }

  const eventOf = (
    userId: string,
    one: Pick<StoredNotification, 'id' | 'title' | 'message' | 'redirect' | 'viewed' | 'words'>,
    conversationId?: string,
  ) => {
    const data: LiveEvents['notify'] = {
      id: notificationEventPrefix + one.id,
      title: one.title,
      message: one.message,
      viewed: one.viewed,
      ...(one.redirect === null ? {} : { redirect: one.redirect }),
      ...(one.words === null ? {} : { kind: one.words.key }),
      ...(conversationId === undefined ? {} : { conversationId }),
    }
    return { type: 'notify', data, audience: [userId] } satisfies EventDraft
  }

  const viewedEvent = (userId: string, { id, words, title, message, redirect }: StoredNotification): DomainEvent => ({
    type: 'notification.viewed',
    data: { id, userId, words, title, message, redirect },
  })

  /** What a notice says of so many things; of one, what it says itself. */
  const sayOf = (notice: Notice, count: number) => {
    const { title, message, conversation } = notice
    if (!conversation || count === 1) return { title, message, words: notice.words ?? null, count }
    const { key, params } = conversation.several
    const several: Words = { key, params: { ...params, count } }
    return {
      title: translate('es', `notices:${key}.title`, several.params),
      message: translate('es', `notices:${key}.message`, several.params),
      words: several,
      count,
    }
  }

  const notify: Notifications['notify'] = async (trx, orgId, { userIds, ...notice }) => {
    const people = [...new Set(userIds)]
    if (!people.length) return []
    const { conversation, redirect = null } = notice
    const now = clock.now()
    const createdAt = now.toISOString()
    const newId = () => ids(now.getTime())
    const unread = conversation ? await unreadAbout(trx, orgId, conversation.id, people) : []
    const known = new Map(unread.map(one => [one.userId, one]))
    const count = conversation?.count ?? 1
    const news = people.map(userId => {
      const before = known.get(userId)
      const said = sayOf(notice, (before?.count ?? 0) + count)
      const id = before?.id ?? newId()
      return { ...said, id, userId, redirect, conversationId: conversation?.id ?? null, createdAt }
    })
    await insertNotifications(
      trx,
      orgId,
      news.filter(one => !known.has(one.userId)),
    )
    for (const one of news) if (known.has(one.userId)) await tellAgain(trx, orgId, one, newId())
    const settings = await settingsOf(trx, orgId, people)
    const silent = conversation ? await mutersOf(trx, orgId, conversation.id, people) : new Set<string>()
    const reachable = news.filter(({ userId }) => {
      const wishes = settings.get(userId)
      return wishes?.push && !wishes.muted && !silent.has(userId) && !isQuietAt(wishes.quiet, createdAt)
    })
    await push.enqueue(trx, orgId, reachable)
    return news.map(one => eventOf(one.userId, { ...one, viewed: false }, conversation?.id))
  }

  const summaryOf = async (db: Db, { orgId, userId }: Reader): Promise<NotificationSummary> => {
    const unread = await countUnread(db, orgId, userId, maxUnreadShown + 1)
    return { unread, any: unread > 0 || (await hasNotifications(db, orgId, userId)) }
  }

  const ownSettings = async (db: Db, { orgId, userId }: Reader): Promise<NotificationSettings> => {
    const found = (await settingsOf(db, orgId, [userId])).get(userId)
    if (!found) throw new Error('Settings of somebody asked for are missing')
    return { ...found, mutedConversations: await listMuted(db, { orgId, userId }, maxMutedConversations) }
  }

  /** One event tells the person's other tabs of all of them. */
  const markMany = async (member: Member, which: Parameters<typeof markNotifications>[2]) => {
    const { orgId, userId } = member
    await writes.run(orgId, personActor(member), async write => {
      const newest = await markNotifications(write.db, { orgId, userId }, which, clock.now().toISOString())
      if (newest) write.emit(viewedEvent(userId, newest))
    })
    return summaryOf(databases.read, member)
  }

  /** One after another, with air between them: together they can be many. */
  const trimAll = async () => {
    let gone = 0
    let after: Reader | undefined
    do {
      const readers = await listReaders(databases.read, after, pruneReaders)
      for (const { orgId, userId } of readers) {
        for (let more = pruneRows; more === pruneRows; gone += more)
          more = await inTransaction(databases, trx =>
            trimNotifications(trx, orgId, userId, { kept: keptNotifications.perPerson, limit: pruneRows }),
          )
        await nextTurn()
      }
      after = readers.at(-1)
    } while (after)
    return gone
  }

  return {
    async list({ orgId, userId, language }, { query }) {
      const before = query.before === undefined ? undefined : bareId(query.before)
      const found = await listNotifications(databases.read, orgId, userId, { before, limit: notificationsPerPage })
      return found.map(one => present(one, language))
    },
    summary: member => summaryOf(databases.read, member),
    /** Marks it once and tells the person's other tabs; again changes nothing. @throws NOTIFICATIONS_NOT_FOUND, also for another's. */
    async markViewed(member, { query }) {
      const { orgId, userId, language } = member
      const id = bareId(query.id)
      const found = await writes.run(orgId, personActor(member), async write => {
        const isNews = await markNotification(write.db, orgId, userId, id, clock.now().toISOString())
        const stored = await findNotification(write.db, orgId, userId, id)
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
      inTransaction(databases, async trx => {
        const mute = { conversationId: params.id, muted: body.muted, at: clock.now().toISOString() }
        if (!(await saveMute(trx, member, mute))) throw notificationErrors.NOT_FOUND()
        return ownSettings(trx, member)
      }),
    getSettings: member => ownSettings(databases.read, member),
    /** @throws InvalidInput for a time zone nobody knows, or hours that never begin. */
    async changeSettings(member, { body }) {
      const { quiet } = body
      if (quiet && !isTimeZone(quiet.timeZone))
        throw new InvalidInput([{ field: 'body.quiet.timeZone', code: 'format', params: {} }])
      if (quiet && quiet.from === quiet.to)
        throw new InvalidInput([{ field: 'body.quiet.to', code: 'invalid', params: {} }])
      return inTransaction(databases, async trx => {
        const next = { ...(await ownSettings(trx, member)), ...body }
        await saveSettings(trx, member.orgId, member.userId, next, clock.now().toISOString())
        return next
      })
    },
    notify,
    async notifyRoles(trx, orgId, roles, notice) {
      return notify(trx, orgId, { ...notice, userIds: await membersWithRole(trx, orgId, roles) })
    },
    async prune(now = clock.now()) {
      const before = new Date(now.getTime() - keptMs).toISOString()
      for (let total = 0; ; ) {
        const gone = await inTransaction(databases, trx => deleteNotificationsBefore(trx, before, pruneRows))
        total += gone
        if (gone < pruneRows) return total + (await trimAll())
      }
    },
  }
}
