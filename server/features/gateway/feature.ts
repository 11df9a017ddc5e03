import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createEdges } from './edges.ts'
import { createGatewayMessages } from './messages.ts'
import { mountGateway } from './routes.ts'

export const gateway = defineFeature({
  name: 'gateway',
  needs: ['outbox', 'actions', 'keptMarks', 'files', 'numbers', 'orgSettings'],
  create(parts) {
    const { databases, idempotency, keptMarks, orgSettings } = parts
    const messages = createGatewayMessages({
      ...parts,
      takeKept: keptMarks.take,
      assignsOnReply: orgSettings.assignsOnReply,
    })
    const callEdge = createEdges({ databases, once: idempotency.once, messages })
    return { routes: app => mountGateway(app, { ...parts, callEdge }) }
  },
})
