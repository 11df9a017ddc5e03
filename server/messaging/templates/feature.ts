import { defineFeature } from '#server/platform/wiring/feature.ts'
import { tokenRefusedCode } from '#server/whatsapp/errors/code-meanings.ts'
import { templateUpdateFields } from '#server/whatsapp/fields/template-updates.ts'
import { createCloudAccount } from '#server/whatsapp/management/account.ts'
import { templateErrors } from './errors.ts'
import { createTemplateFiles, type TemplateFiles } from './files/files.ts'
import { createUnusedFiles, type UnusedFiles } from './files/unused-files.ts'
import { mountTemplateFiles } from './routes.ts'
import { createTemplates } from './service.ts'
import { createTemplateNotices } from './sync/notices.ts'
import { createTemplateSync, type TemplateSyncService } from './sync/sync.ts'
import { applyTemplateUpdates } from './sync/updates.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** Files in template headers. */
    templateFiles: TemplateFiles
    unusedFiles: UnusedFiles
    templateSync: TemplateSyncService
  }
}

export const templates = defineFeature({
  name: 'templates',
  needs: ['graphOf', 'numbers', 'files', 'notifications'],
  subscribesTo: { useful: templateUpdateFields },
  create(parts) {
    const { clock, storages, graphOf, numbers, files: received, notifications } = parts
    const templateFiles = createTemplateFiles({ ...parts, storage: storages.media, received })
    const unusedFiles = createUnusedFiles({ ...parts, received })
    const ownParts = {
      ...parts,
      files: templateFiles,
      openAccount: async (orgId: string) => {
        const client = await numbers.findClient(orgId)
        if (!client) return undefined
        const opened = await numbers.findByConnectionId(client.connection.id)
        if (!opened) throw templateErrors.TOKEN_REFUSED({ params: { code: tokenRefusedCode } })
        return { account: createCloudAccount({ ...opened, ...graphOf(opened.kind) }), wabaId: opened.wabaId }
      },
    }
    const sync = createTemplateSync(ownParts)
    return {
      provides: { templateFiles, unusedFiles, templateSync: sync },
      services: { templates: createTemplates({ ...ownParts, sync }) },
      routes: app => mountTemplateFiles(app, { templateFiles }),
      listeners: [createTemplateNotices(notifications), sync.listener],
      takers: [
        {
          feature: 'templates',
          fields: templateUpdateFields,
          apply: (write, items) => applyTemplateUpdates(write, items, { clock, askForSync: sync.askFor }),
        },
      ],
      chores: [{ name: 'files of headers that nothing uses', run: now => unusedFiles.prune(now) }],
    }
  },
})
