import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createDrafts, createDraftsOfLeavers } from './drafts.ts'

export const drafts = defineFeature({
  name: 'drafts',
  create(parts) {
    const kept = createDrafts(parts)
    return {
      services: { drafts: kept.service },
      listeners: [createDraftsOfLeavers()],
      chores: [{ name: 'drafts', run: now => kept.prune(now) }],
    }
  },
})
