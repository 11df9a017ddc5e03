import { createWaitsAfterFailures } from '#server/messaging/conversations/waiting/waiting.ts'
import { createJsonFiles } from '#server/messaging/media/json-file.ts'
import { templateSending } from '#server/messaging/templates/sending.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createInbox } from './service.ts'

export const inbox = defineFeature({
  name: 'inbox',
  needs: ['outbox', 'actions', 'choosing', 'snoozing', 'keptMarks', 'tags', 'files', 'numbers', 'orgSettings'],
  create(parts) {
    const { i18n, keptMarks, numbers, orgSettings } = parts
    return {
      services: {
        inbox: createInbox({
          ...parts,
          takeKept: keptMarks.take,
          templates: templateSending,
          withJsonFile: createJsonFiles(parts),
          catalogueIds: async (orgId, connectionId) => {
            const client = await numbers.findClient(orgId, connectionId)
            // The token may not be allowed to read catalogues. WhatsApp checks the message anyway.
            return client?.number.catalogueIds(AbortSignal.timeout(10_000)).catch(() => undefined)
          },
          translator: i18n.translator,
          readCallingCode: orgId => orgSettings.readCallingCode(orgId),
          assignsOnReply: (orgId, db) => orgSettings.read(orgId, 'assignOnReply', db),
          readTimeZone: orgId => orgSettings.read(orgId, 'timeZone'),
          readPromiseMinutes: orgId => orgSettings.read(orgId, 'promiseMinutes'),
        }),
      },
      listeners: [createWaitsAfterFailures()],
    }
  },
})
