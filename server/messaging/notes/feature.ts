import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createActivityLines } from './activity-listener.ts'
import { createMentionNotices } from './mention-notices.ts'
import { createNotes } from './notes.ts'

export const notes = defineFeature({
  name: 'notes',
  needs: ['scopes', 'notifications'],
  create: parts => ({
    services: { notes: createNotes(parts) },
    listeners: [createMentionNotices(parts.notifications), createActivityLines(parts)],
  }),
})
