import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createEdges } from './edges.ts'
import { createFailures } from './failures.ts'
import { createGatewayMessages } from './messages.ts'
import { createProgramNames, type ProgramNames } from './naming.ts'
import { mountGateway } from './routes.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    programNames: ProgramNames
  }
}

export const gateway = defineFeature({
  name: 'gateway',
  needs: ['outbox', 'actions', 'keptMarks', 'files', 'numbers', 'orgSettings', 'outgoingWebhooks'],
  create(parts) {
    const { databases, idempotency, keptMarks, orgSettings } = parts
    const messages = createGatewayMessages({
      ...parts,
      takeKept: keptMarks.take,
      assignsOnReply: orgSettings.assignsOnReply,
    })
    const callEdge = createEdges({ databases, once: idempotency.once, messages })
    return {
      provides: { programNames: createProgramNames(parts) },
      routes: app => mountGateway(app, { ...parts, callEdge }),
      listeners: [createFailures({ ...parts, passOn: parts.outgoingWebhooks.passOn })],
    }
  },
})
