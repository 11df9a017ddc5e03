import { createMirror } from '#server/messaging/mirrored/mirror.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { connectUpstream } from './connection.ts'
import { mountUpstreamEvents, pruneEvents } from './events.ts'
import { mountUpstreamFiles } from './files.ts'
import { hasUpstreamKeys, sealedUpstreamKeys } from './keys.ts'
import { createReplacements } from './replacements.ts'
import { createUpstreamService, withoutUpstream } from './service.ts'

/** In front of a product API that exists already. Without PRODUCT_API_URL, it changes nothing. */
export const upstream = defineFeature({
  name: 'upstream',
  needs: ['keptMarks', 'notifications'],
  encryptedColumns: [sealedUpstreamKeys],
  hasSealedRows: hasUpstreamKeys,
  create(parts) {
    const { upstreamUrl, upstreamSecret } = parts.config
    if (upstreamUrl === undefined) return { services: { upstream: withoutUpstream } }
    const { client, keys, tokenOf, isAllowed, fileAddress } = connectUpstream(upstreamUrl, parts)
    const mirror = createMirror({ ...parts, takeKept: parts.keptMarks.take })
    return {
      services: { upstream: createUpstreamService({ ...parts, upstreamUrl, client }) },
      replaces: own => createReplacements({ ...parts, client, mirror, own }),
      routes: app => {
        app.get('/.well-known/jwks.json', async (_request, reply) => {
          reply.header('cache-control', 'public, max-age=300')
          return keys.published()
        })
        if (upstreamSecret !== undefined)
          mountUpstreamEvents(app, { ...parts, ...parts.notifications, mirror, fileAddress, secret: upstreamSecret })
        mountUpstreamFiles(app, { ...parts, upstreamUrl, isAllowed, tokenOf })
      },
      chores: [
        { name: 'keys for the upstream', run: now => keys.prune(now) },
        { name: 'ids of events of the upstream', run: now => pruneEvents(parts.databases, now) },
      ],
    }
  },
})
