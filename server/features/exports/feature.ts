import { getOrganization } from '#server/identity/orgs/members/members.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createChatExports } from './chat/chat-exports.ts'
import { createContents } from './contents.ts'
import { createDownloads } from './downloads.ts'
import { createExports } from './exports.ts'
import { mountExports } from './routes.ts'

export const exports = defineFeature({
  name: 'exports',
  needs: ['auth', 'notifications', 'orgSettings', 'scopes'],
  create(parts) {
    const { storages, orgSettings } = parts
    const storage = storages.media
    const readTimeZone = (orgId: string) => orgSettings.read(orgId, 'timeZone')
    const contents = createContents({ ...parts, readTimeZone, readFile: path => storage.read(path) })
    const archive = createExports({
      ...parts,
      storage,
      contents,
      notify: parts.notifications.notify,
      findCurrentRights: parts.auth.findCurrentRights,
      findOrganization: getOrganization,
    })
    const chats = createChatExports({ ...parts, downloads: createDownloads(parts), readTimeZone })
    return {
      services: { orgExport: archive.service, chatExport: chats.service },
      routes: app => mountExports(app, { exports: archive, chats }),
      listeners: [archive.listener],
      chores: [{ name: 'archives of organizations', run: () => archive.prune() }],
    }
  },
})
