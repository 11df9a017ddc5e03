import { defineFeature } from '#server/platform/wiring/feature.ts'
import { fileIdOf } from '#shared/templates/files.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import type { Spacing } from './spacing.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    outbox: Outbox
  }
}

declare module '#server/platform/wiring/world.ts' {
  interface World {
    /** Paces bulk messages. Absent: they leave as they are claimed, for tests that set the clock by hand. */
    readonly spacing?: Spacing
  }
}

export const outbox = defineFeature({
  name: 'outbox',
  needs: ['numbers', 'uploads'],
  later: ['messageStates', 'templateFiles', 'bulkPace'],
  create(parts, later) {
    const sender = createOutbox({
      ...parts,
      applyDelivery: (...of) => later.messageStates.applyDelivery(...of),
      applyAccepted: (...of) => later.messageStates.applyAccepted(...of),
      failMessages: (...of) => later.messageStates.failMessages(...of),
      undoReaction: (...of) => later.messageStates.undoReaction(...of),
      headerFiles: {
        idOf: fileIdOf,
        list: (orgId, ids) => later.templateFiles.list(orgId, ids),
        markSent: (...sent) => later.templateFiles.markSent(...sent),
      },
      spacing: parts.world.spacing,
      bulkPerSecond: async (...number) => (await later.bulkPace.of(...number)).perSecond,
    })
    return { provides: { outbox: sender } }
  },
})
