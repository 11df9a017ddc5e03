import { getOrganization } from '#server/identity/orgs/members/members.ts'
import { templateSending } from '#server/messaging/templates/sending.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createAnsweredListener, createScheduledNotices } from './changes.ts'
import { createScheduledMessages } from './scheduled.ts'

export const scheduledMessages = defineFeature({
  name: 'scheduled-messages',
  needs: ['auth', 'scopes', 'notifications', 'outbox', 'actions', 'files', 'keptMarks', 'orgSettings'],
  later: ['sendingElsewhere'],
  create(parts, later) {
    const { i18n, auth, keptMarks, notifications, orgSettings } = parts
    return {
      services: {
        scheduledMessages: createScheduledMessages({
          ...parts,
          takeKept: keptMarks.take,
          templates: templateSending,
          translator: i18n.translator,
          findCurrentRights: auth.findCurrentRights,
          findOrganization: getOrganization,
          elsewhere: () => later.sendingElsewhere,
          assignsOnReply: (orgId, db) => orgSettings.read(orgId, 'assignOnReply', db),
          readOrgVariables: orgSettings.readVariables,
        }),
      },
      listeners: [createAnsweredListener(), createScheduledNotices(notifications)],
    }
  },
})
