import { defineFeature } from '#server/platform/wiring/feature.ts'
import { sealedWebhookSecrets } from './deliveries.ts'
import { createOutgoingWebhooks, keepsWebhooks } from './room.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    outgoingWebhooks: Pick<ReturnType<typeof createOutgoingWebhooks>, 'isActive' | 'send'>
  }
}

export const outgoingWebhooks = defineFeature({
  name: 'outgoing-webhooks',
  needs: ['notifications'],
  sealedColumns: [sealedWebhookSecrets],
  hasSealedRows: keepsWebhooks,
  create(parts) {
    const room = createOutgoingWebhooks({ ...parts, ...parts.notifications })
    return {
      provides: { outgoingWebhooks: room },
      services: { outgoingWebhooks: room.service },
      listeners: [room.listener],
      chores: [{ name: 'deliveries of webhooks', run: now => room.prune(now) }],
    }
  },
})
