import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { isTimeZone } from '#shared/kernel/time.ts'
import {
  maxMutedConversations,
  maxUnreadShown,
  type NotificationSettings,
  type NotificationSummary,
  notificationEventPrefix,
  type notificationsApi,
  notificationsPerPage,
} from '#shared/notifications/api.ts'
import { listMuted, saveMute } from './conversation-store.ts'
import { notificationErrors } from './errors.ts'
import { createNotify } from './notifying.ts'
import { type ConversationSummary, createPresenting, type TranslateTo } from './presenting.ts'
import { pruneNotifications } from './pruning.ts'
import { saveSettings, settingsOf } from './settings-store.ts'
import {
  countUnread,
  findNotification,
  listNotifications,
  markNotification,
  markNotifications,
  type Owner,
  type Reader,
  type StoredNotification,
} from './store.ts'

export interface Notifications extends ServiceOf<typeof notificationsApi, Member>, Notify {
  /** Deletes notifications older than 90 days, and beyond a person's newest thousand. Returns how many. */
  prune(now?: Date): Promise<number>
}

const bareId = (id: string) => (id.startsWith(notificationEventPrefix) ? id.slice(notificationEventPrefix.length) : id)

export interface NotificationsParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly scopes: Pick<Scopes, 'readScopes' | 'readFacts'>
  ids(at?: number): string
  readonly translate: TranslateTo
  /** Customer and last message of these conversations, of those the reader sees. */
  summarize(
    db: Db,
    reader: Viewer,
    conversationIds: readonly string[],
  ): Promise<ReadonlyMap<string, ConversationSummary>>
}

/** Each person's notifications, and how other features create them. */
export function createNotifications(parts: NotificationsParts): Notifications {
  const { databases, clock, writes, summarize } = parts
  const { present, aboutOf } = createPresenting(parts.translate)

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
    ...createNotify(parts),
    prune: (now = clock.now()) => pruneNotifications(databases, now),
  }
}
