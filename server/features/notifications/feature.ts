import { glanceAt } from '#server/messaging/conversations/glance.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createNotifications, type Notifications } from './service.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    notifications: Notifications
  }
}

export const notifications = defineFeature({
  name: 'notifications',
  needs: ['scopes'],
  create(parts) {
    const service = createNotifications({ ...parts, glanceAt })
    return {
      provides: { notifications: service },
      services: { notifications: service },
      chores: [{ name: 'notifications', run: now => service.prune(now) }],
    }
  },
})
