import { defineFeature } from '#server/platform/wiring/feature.ts'
import { hasOwnKeys, sealedPushKeys } from './keys.ts'
import { createPush, type Push } from './push.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    push: Push
  }
}

export const push = defineFeature({
  name: 'push',
  needs: ['scopes'],
  encryptedColumns: [sealedPushKeys],
  hasSealedRows: hasOwnKeys,
  create(parts) {
    const { publicUrl } = parts.config
    const subject = publicUrl.startsWith('https:') ? publicUrl : 'mailto:recado@localhost.localdomain'
    const sender = createPush({ ...parts, subject })
    return {
      provides: { push: sender },
      services: { push: sender.service },
      listeners: [sender.listener],
      start: () => sender.start(),
    }
  },
})
