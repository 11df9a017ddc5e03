import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createAssignmentNotices, createReactionNotices, createReplyNotices, createWaitingNotices } from './notices.ts'
import { createPresence } from './presence.ts'
import { createReleases, type Releases } from './releases.ts'
import { createThreadControl } from './thread-control.ts'
import { createClosingNotices, createWindowClosing } from './window-closing.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    releases: Releases
  }
}

export const people = defineFeature({
  name: 'people',
  needs: ['scopes', 'notifications', 'numbers'],
  create(parts) {
    const { clock, log, scopes, notifications, numbers } = parts
    const presence = createPresence(parts)
    return {
      provides: { releases: createReleases(parts) },
      services: { presence: presence.service },
      listeners: [
        createReplyNotices({ ...notifications, clock }),
        createReactionNotices({ ...notifications, clock }),
        createAssignmentNotices(notifications),
        createWaitingNotices({ ...notifications, scopes }),
        createWindowClosing(parts).listener,
        createClosingNotices({ ...notifications, scopes }),
        createThreadControl({ log, findClient: numbers.findClient }),
      ],
      chores: [{ name: 'who has chats open', run: now => presence.prune(now) }],
    }
  },
})
