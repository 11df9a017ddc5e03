import { spanishFailure } from '#server/messaging/messages/delivery/failure.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createLive, type Live } from './hub.ts'
import { createLiveListener } from './listener.ts'
import { mountLive } from './routes.ts'
import { createLiveService } from './service.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    live: Live
  }
}

export const live = defineFeature({
  name: 'live',
  needs: ['scopes'],
  create(parts) {
    const { translate } = parts
    const hub = createLive(parts)
    return {
      provides: { live: hub },
      services: { live: createLiveService(parts) },
      routes: app => mountLive(app, { live: hub }),
      listeners: [
        createLiveListener(hub, {
          failure: spanishFailure,
          notice: ({ key, params }) => ({
            title: translate('es', `notices:${key}.title`, params),
            message: translate('es', `notices:${key}.message`, params),
          }),
        }),
      ],
      chores: [{ name: 'live events', run: now => hub.prune(now) }],
    }
  },
})
