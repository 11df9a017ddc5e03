import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createChatExports } from './chat/chat-exports.ts'
import { createContents } from './contents.ts'
import { createDownloads } from './downloads.ts'
import { createExports } from './exports.ts'
import { mountExports } from './routes.ts'

export const exports = defineFeature({
  name: 'exports',
  needs: ['orgSettings'],
  create(parts) {
    const { clock, storages, orgSettings } = parts
    const downloads = createDownloads(parts)
    const archive = createExports({
      ...parts,
      downloads,
      contents: createContents({ ...parts, readFile: path => storages.media.read(path) }),
    })
    const chats = createChatExports({ ...parts, downloads, timeZoneOf: orgSettings.timeZoneOf })
    return {
      services: { orgExport: archive.service, chatExport: chats.service },
      routes: app => mountExports(app, { exports: archive, chats, clock }),
    }
  },
})
