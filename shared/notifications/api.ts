import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

export const notificationsPerPage = 20
/** Older notifications are deleted, read or not. */
export const keptNotifications = { days: 90, perPerson: 1000 } as const
/** Larger counts are not exact. */
export const maxUnreadShown = 99
/** Beyond this, the oldest muted conversation rings in the page again; push messages stay muted. */
export const maxMutedConversations = 1000
/** Prefix of ids in live events. */
export const notificationEventPrefix = 'notify-'

export const Notification = Type.Object({
  id: Type.String(),
  title: Type.String(),
  message: Type.String(),
  viewed: Type.Boolean(),
  createdAt: Timestamp,
  redirect: Nullable(Type.String()),
  about: Type.Optional(
    Type.Object(
      {
        name: Type.String(),
        said: Type.Optional(Type.String({ description: "The customer's last message, or its kind." })),
      },
      { description: 'With whom the conversation is that it is about; in the list only.' },
    ),
  ),
})
export type Notification = Static<typeof Notification>

export const NotificationSummary = Type.Object({
  unread: Type.Integer({
    minimum: 0,
    description: `Counted up to ${maxUnreadShown + 1}, which means more than ${maxUnreadShown}.`,
  }),
  any: Type.Boolean({ description: 'Whether there is a notification at all, read or not.' }),
})
export type NotificationSummary = Static<typeof NotificationSummary>

const TimeOfDay = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM, 24 hours' })
const QuietHours = Type.Object(
  {
    from: TimeOfDay,
    to: TimeOfDay,
    timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA, e.g. America/Montevideo' }),
  },
  { additionalProperties: false },
)

export const NotificationSettings = Type.Object({
  toast: Type.Boolean({ description: 'Shown in the page.' }),
  sound: Type.Boolean(),
  desktop: Type.Boolean({ description: 'Shown by the system while a tab is open.' }),
  push: Type.Boolean({ description: 'Sent to browsers that subscribed, also without a tab.' }),
  quiet: Nullable(QuietHours),
  muted: Type.Boolean({ description: 'This organization is silent: its notifications are only listed.' }),
  mutedConversations: Type.Array(Type.String(), {
    description: 'Ids of the conversations of this organization that are silent, the newest first.',
  }),
})
export type NotificationSettings = Static<typeof NotificationSettings>

/** Defaults for people who have not chosen. */
export const defaultNotificationSettings: NotificationSettings = {
  toast: true,
  sound: true,
  desktop: true,
  push: true,
  quiet: null,
  muted: false,
  mutedConversations: [],
}

export const NotificationSettingsChange = Type.Object(
  {
    toast: Type.Optional(Type.Boolean()),
    sound: Type.Optional(Type.Boolean()),
    desktop: Type.Optional(Type.Boolean()),
    push: Type.Optional(Type.Boolean()),
    quiet: Type.Optional(Type.Union([QuietHours, Type.Null()])),
    muted: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type NotificationSettingsChange = Static<typeof NotificationSettingsChange>

const NotificationId = Type.String({ minLength: 1, maxLength: 80 })

export const notificationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/notify',
    access: 'member',
    peopleOnly: true,
    sameFor: 'member',
    query: Type.Object(
      {
        before: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 80,
            description: 'Only older than this id: the last one of the page before.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Array(Notification),
    summary: `The caller's notifications, newest first, ${notificationsPerPage} at a time. The newest ${keptNotifications.perPerson} of the last ${keptNotifications.days} days are kept.`,
  }),
  summary: endpoint({
    method: 'GET',
    path: '/notify/summary',
    access: 'member',
    peopleOnly: true,
    sameFor: 'member',
    reply: NotificationSummary,
    summary: 'How many notifications the caller has not read.',
  }),
  markViewed: endpoint({
    method: 'PATCH',
    path: '/notify',
    access: 'member',
    peopleOnly: true,
    query: Type.Object({ id: NotificationId }, { additionalProperties: false }),
    reply: Notification,
    refuses: [404],
    summary: 'Marks one notification as read. This cannot be undone.',
  }),
  markAllViewed: endpoint({
    method: 'POST',
    path: '/notify/viewed',
    access: 'member',
    peopleOnly: true,
    body: Type.Object(
      {
        upTo: Type.String({
          minLength: 1,
          maxLength: 80,
          description: 'Id of the newest notification that the caller has seen. Newer ones stay unread.',
        }),
      },
      { additionalProperties: false },
    ),
    reply: NotificationSummary,
    summary: "Marks the caller's notifications as read, up to the given one.",
  }),
  markSeenAt: endpoint({
    method: 'POST',
    path: '/notify/viewed/at',
    access: 'member',
    peopleOnly: true,
    body: Type.Object(
      {
        redirect: Type.String({
          pattern: '^/[^/\\s]+$',
          maxLength: 200,
          description: 'Conversation address as in the notifications: marks those of this conversation as read.',
        }),
      },
      { additionalProperties: false },
    ),
    reply: NotificationSummary,
    summary: "Marks the caller's notifications that lead to one place as read.",
  }),
  mute: endpoint({
    method: 'PUT',
    path: '/notify/mutes/:id',
    access: 'chat:read',
    peopleOnly: true,
    params: Type.Object({ id: NotificationId }, { additionalProperties: false }),
    body: Type.Object({ muted: Type.Boolean() }, { additionalProperties: false }),
    reply: NotificationSettings,
    refuses: [404, 409],
    summary: 'Mutes or unmutes one conversation for the caller. Notifications of a muted one are only listed.',
  }),
  getSettings: endpoint({
    method: 'GET',
    path: '/notify/settings',
    access: 'member',
    peopleOnly: true,
    reply: NotificationSettings,
    summary: 'How the caller is notified.',
  }),
  changeSettings: endpoint({
    method: 'PATCH',
    path: '/notify/settings',
    access: 'member',
    peopleOnly: true,
    body: NotificationSettingsChange,
    reply: NotificationSettings,
    summary: 'Changes how the caller is notified. `muted` is for this organization, the rest for all of them.',
  }),
} as const
