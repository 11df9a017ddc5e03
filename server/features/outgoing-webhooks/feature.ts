import type { WebhookList } from '#server/platform/http/described-calls.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { documentedEvents } from './kinds/described.ts'
import { createOutgoingWebhooks, keepsWebhooks } from './outgoing-webhooks.ts'
import { sealedWebhookColumns } from './sealed.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** The webhooks that we send, for the API document. */
    describedWebhooks: () => WebhookList
    outgoingWebhooks: Pick<ReturnType<typeof createOutgoingWebhooks>, 'isActive' | 'send' | 'passOn'>
  }
}

export const outgoingWebhooks = defineFeature({
  name: 'outgoing-webhooks',
  needs: ['notifications', 'numbers'],
  later: ['programNames'],
  encryptedColumns: sealedWebhookColumns,
  hasSealedRows: keepsWebhooks,
  create(parts, later) {
    const outgoingWebhooks = createOutgoingWebhooks({
      ...parts,
      ...parts.notifications,
      routeOf: (...item) => parts.numbers.routeOf(...item),
      namesOf: (...of) => later.programNames.of(...of),
    })
    return {
      provides: {
        outgoingWebhooks,
        describedWebhooks: documentedEvents,
        appliedWebhooks: outgoingWebhooks.appliedWebhooks,
      },
      services: { outgoingWebhooks: outgoingWebhooks.service },
      listeners: outgoingWebhooks.listeners,
      chores: [{ name: 'deliveries of webhooks', run: now => outgoingWebhooks.prune(now) }],
    }
  },
})
