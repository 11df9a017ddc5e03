import { archiveForErasure, findPerson } from '#server/messaging/inbox/erasing.ts'
import { cancelQueued } from '#server/messaging/sending/to-many.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createErasures, sealedTargets } from './erasures.ts'
import { createMarks, type KeptMarks } from './marks.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** Opt-outs and blocks of erased people, so that nobody writes to them by mistake. */
    keptMarks: KeptMarks
  }
}

export const erasures = defineFeature({
  name: 'erasures',
  later: ['bulkSends', 'outbox', 'unusedFiles'],
  encryptedColumns: [sealedTargets],
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
          archiveForErasure,
          cancelQueued: (write, messageIds) => cancelQueued(write, messageIds, { clock, ids, outbox: later.outbox }),
          removeFile: path => storages.media.remove(path),
          forgetFiles: (...of) => later.unusedFiles.forget(...of),
          forgetRecipients: (...of) => later.bulkSends.forget(...of),
        }),
      },
    }
  },
})
