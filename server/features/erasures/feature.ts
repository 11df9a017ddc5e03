import { findPerson, putAside } from '#server/messaging/contacts/erasing.ts'
import { takeBack } from '#server/messaging/sending/to-many.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createErasures, sealedTargets } from './erasures.ts'
import { createMarks, type KeptMarks } from './marks.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** Marks of erased people, so that nobody writes to them again by mistake. */
    keptMarks: KeptMarks
  }
}

export const erasures = defineFeature({
  name: 'erasures',
  later: ['bulkSends', 'outbox', 'unusedFiles'],
  sealedColumns: [sealedTargets],
  create(parts, later) {
    const { clock, ids, hashes, storages } = parts
    const marks = createMarks(hashes.hash, hashes.former)
    return {
      provides: { keptMarks: marks.keptMarks },
      services: {
        erasures: createErasures({
          ...parts,
          marks,
          findPerson,
          putAside,
          takeBack: (write, messageIds) => takeBack(write, messageIds, { clock, ids, outbox: later.outbox }),
          removeFile: path => storages.media.remove(path),
          forgetFiles: (...of) => later.unusedFiles.forget(...of),
          forgetRecipients: (...of) => later.bulkSends.forget(...of),
        }),
      },
    }
  },
})
