import { templateSending } from '#server/messaging/templates/sending.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createDebugToken } from './debug-token.ts'
import { createEdges } from './edges.ts'
import { createFailures } from './failures.ts'
import { createFileCalls } from './file-calls.ts'
import { createGatewayFiles } from './files.ts'
import { createForwarding } from './forwarding.ts'
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
  needs: [
    'outbox',
    'actions',
    'keptMarks',
    'files',
    'numbers',
    'orgSettings',
    'outgoingWebhooks',
    'media',
    'uploads',
    'templateFiles',
    'templateSync',
    'graphOf',
    'auth',
  ],
  create(parts) {
    const { config, databases, idempotency, keptMarks, orgSettings } = parts
    const gatewayFiles = createGatewayFiles(parts)
    const messages = createGatewayMessages({
      ...parts,
      gatewayFiles,
      takeKept: keptMarks.take,
      assignsOnReply: (orgId, db) => orgSettings.read(orgId, 'assignOnReply', db),
    })
    const fileCalls = createFileCalls({ ...parts, publicUrl: config.publicUrl, gatewayFiles })
    const callEdge = createEdges({
      databases,
      once: idempotency.once,
      messages,
      fileCalls,
      forwarding: createForwarding({ ...parts, publicUrl: config.publicUrl }),
      isTemplate: async (orgId, id) => (await templateSending.find(databases.read, orgId, id)) !== undefined,
      debugToken: createDebugToken({ readKeyHolder: text => parts.auth.readKeyHolder(text) }),
    })
    return {
      provides: { programNames: createProgramNames(parts) },
      routes: app => mountGateway(app, { ...parts, callEdge }),
      chores: [{ name: 'uploads of the gateway', run: () => gatewayFiles.prune() }],
      listeners: [createFailures({ ...parts, passOn: parts.outgoingWebhooks.passOn })],
    }
  },
})
