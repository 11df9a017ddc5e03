import { defineFeature } from '#server/platform/wiring/feature.ts'
import { type ArchivedImports, createArchivedImports } from './archived.ts'
import { createImportedMessages, type ImportedMessages } from './imported.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    importedMessages: ImportedMessages
    archivedImports: ArchivedImports
  }
}

export const imported = defineFeature({
  name: 'imported',
  needs: ['keptMarks'],
  create({ clock, ids, keptMarks }) {
    const parts = { clock, ids, takeKept: keptMarks.take }
    return {
      provides: {
        importedMessages: createImportedMessages(parts),
        archivedImports: createArchivedImports(parts),
      },
    }
  },
})
