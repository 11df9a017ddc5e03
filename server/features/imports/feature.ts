import { defineFeature } from '#server/platform/wiring/feature.ts'
import './events.ts'
import { createPieces } from './creating/pieces.ts'
import { createImports } from './imports.ts'
import { mountImports } from './routes.ts'
import { sealedImportTokens } from './work/fetching.ts'
import { createImportWork } from './work/work.ts'

export const imports = defineFeature({
  name: 'imports',
  encryptedColumns: [sealedImportTokens],
  needs: ['archivedImports', 'files', 'importedMessages', 'orgSettings', 'readOrgPhone'],
  create(parts) {
    const { storages, orgSettings } = parts
    const storage = storages.media
    const pieces = createPieces({ ...parts, storage })
    const work = createImportWork({
      ...parts,
      pieces,
      readTimeZone: orgId => orgSettings.read(orgId, 'timeZone'),
      removeFile: path => storage.remove(path),
    })
    const made = createImports({ ...parts, pieces, work, readPhone: parts.readOrgPhone })
    return {
      services: { imports: made.service },
      routes: app => mountImports(app, { ...parts, imports: made, pieces }),
      listeners: [made.listener],
      chores: [{ name: 'imports of chats', run: () => made.prune() }],
    }
  },
})
