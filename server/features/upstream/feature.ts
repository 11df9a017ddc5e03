import { createMirror } from '#server/messaging/mirrored/mirror.ts'
import type { SendingElsewhere } from '#server/messaging/scheduled-messages/elsewhere.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { connectUpstream } from './connection.ts'
import { pruneEvents } from './events/pruning.ts'
import { createEventStream } from './events/stream.ts'
import { createTaking } from './events/taking.ts'
import { mountUpstreamEvents } from './events/webhook.ts'
import { mountUpstreamFiles } from './files.ts'
import { createUpstreamInbox, type UpstreamInbox } from './inbox.ts'
import { hasUpstreamKeys, sealedUpstreamKeys } from './keys.ts'
import { createReplacements } from './replacements.ts'
import { createSendingElsewhere } from './sending-later.ts'
import { createUpstreamService, withoutUpstream } from './service.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** Undefined: every organization sends from here. */
    sendingElsewhere: SendingElsewhere | undefined
  }
}

/** Puts Recado in front of an existing product API. Without PRODUCT_API_URL it changes nothing. */
export const upstream = defineFeature({
  name: 'upstream',
  needs: ['keptMarks', 'notifications'],
  encryptedColumns: [sealedUpstreamKeys],
  hasSealedRows: hasUpstreamKeys,
  create(parts) {
    const { upstreamUrl, upstreamSecret } = parts.config
    if (upstreamUrl === undefined)
      return {
        services: { upstream: withoutUpstream },
        provides: { sendingElsewhere: undefined as SendingElsewhere | undefined },
      }
    const { client, keys, tokenOf, isAllowed, fileAddress, events } = connectUpstream(upstreamUrl, parts)
    const mirror = createMirror({ ...parts, takeKept: parts.keptMarks.take })
    const take = createTaking({ ...parts, ...parts.notifications, mirror, fileAddress })
    let inbox: UpstreamInbox | undefined
    // An upstream that has the secret posts its events. Otherwise they are read.
    const stream =
      upstreamSecret === undefined
        ? createEventStream({ ...parts, ...events, take, lease: parts.jobs.lease('events of the upstream') })
        : undefined
    return {
      services: {
        upstream: createUpstreamService({ ...parts, upstreamUrl, client, streamAddress: stream && events.address }),
      },
      provides: { sendingElsewhere: createSendingElsewhere(() => inbox as UpstreamInbox) },
      replaces(own) {
        inbox = createUpstreamInbox({ ...parts, client, mirror, own })
        return createReplacements({ ...parts, client, inbox, own })
      },
      routes: app => {
        app.get('/.well-known/jwks.json', async (_request, reply) => {
          reply.header('cache-control', 'public, max-age=300')
          return keys.published()
        })
        if (upstreamSecret !== undefined) mountUpstreamEvents(app, { ...parts, take, secret: upstreamSecret })
        mountUpstreamFiles(app, { ...parts, upstreamUrl, isAllowed, tokenOf })
      },
      chores: [
        { name: 'keys for the upstream', run: now => keys.prune(now) },
        { name: 'ids of events of the upstream', run: now => pruneEvents(parts.databases, events.address, now) },
      ],
      start: () => stream?.start(),
      stop: () => stream?.stop(),
    }
  },
})
