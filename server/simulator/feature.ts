import { ageSimulated } from '#server/messaging/conversations/changes/simulated-time.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { simulatedAppOf } from '#server/whatsapp/management/meta-app.ts'
import { sealedAppSecrets } from './parts.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'
import { createHttpDelivery } from './webhooks/http-delivery.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    sandbox: Sandbox
  }
}

declare module '#server/platform/wiring/world.ts' {
  interface World {
    /** Delivers a webhook to this server; absent: over HTTP. */
    deliver?(path: string, body: Buffer, headers: Record<string, string>): Promise<number>
  }
}

export const simulator = defineFeature({
  name: 'simulator',
  later: ['numbers'],
  encryptedColumns: [sealedAppSecrets],
  create(parts, later) {
    const { config, writes, world } = parts
    const sandbox = createSandbox({
      ...parts,
      deliver: world.deliver ?? createHttpDelivery(() => world.selfUrl()),
      graphUrl: () => `${config.publicUrl}/sandbox/graph`,
      app: simulatedAppOf(config),
      async tokenOf(orgId, connectionId) {
        const opened = await later.numbers.findByConnectionId(connectionId)
        return opened?.orgId === orgId ? opened.accessToken : undefined
      },
      agePast: (orgId, connectionId, ms) =>
        ageSimulated({ run: work => writes.run(orgId, systemActor('simulator'), work) }, connectionId, ms),
    })
    return {
      provides: { sandbox },
      services: { sandbox: sandbox.service },
      chores: [{ name: 'simulator', run: now => sandbox.prune(now) }],
      stop: () => sandbox.stop(),
    }
  },
})
