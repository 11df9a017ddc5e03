import { templateSending } from '#server/messaging/templates/sending.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createWindowTemplates } from './service.ts'

export const windowTemplates = defineFeature({
  name: 'window-templates',
  needs: ['outbox', 'actions', 'files', 'keptMarks', 'orgSettings'],
  create(parts) {
    const { i18n, keptMarks, orgSettings } = parts
    return {
      services: {
        windowTemplates: createWindowTemplates({
          ...parts,
          takeKept: keptMarks.take,
          templates: templateSending,
          translator: i18n.translator,
          assignsOnReply: (orgId, db) => orgSettings.read(orgId, 'assignOnReply', db),
          readOrgVariables: orgSettings.readVariables,
          readWindowTemplate: orgId => orgSettings.read(orgId, 'windowTemplate'),
        }),
      },
    }
  },
})
