import { defineFeature } from '#server/platform/wiring/feature.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { incomingLimits } from '#shared/incoming-hooks/api.ts'
import { deleteOldCalls } from './call-store.ts'
import { createCalling } from './calling.ts'
import { createDoing } from './doing.ts'
import { mountIncomingHooks } from './routes.ts'
import { createHookService } from './service.ts'

const keptMs = incomingLimits.days * 86_400_000
const deletedAtOnce = 500

export const incomingHooks = defineFeature({
  name: 'incoming-hooks',
  needs: ['outbox', 'actions', 'files', 'keptMarks', 'orgSettings', 'tags', 'choosing', 'readOrgPhone', 'flows'],
  create(parts) {
    const { databases, config, keptMarks, orgSettings, flows, idempotency } = parts
    const doing = createDoing({
      ...parts,
      takeKept: keptMarks.take,
      assignsOnReply: (orgId, db) => orgSettings.read(orgId, 'assignOnReply', db),
      startFlow: flows.start,
    })
    const calling = createCalling({ ...parts, doing, readPhone: parts.readOrgPhone })
    return {
      services: { incomingHooks: createHookService({ ...parts, publicUrl: config.publicUrl, calling }) },
      routes: app => mountIncomingHooks(app, { calling, once: idempotency.once }),
      chores: [
        {
          name: 'calls of incoming webhooks',
          run: now => {
            const before = new Date(now.getTime() - keptMs).toISOString()
            return inBatches(deletedAtOnce, limit => deleteOldCalls(databases.write, before, limit))
          },
        },
      ],
    }
  },
})
