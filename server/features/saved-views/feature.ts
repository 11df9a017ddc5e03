import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createViewsFollow } from './following.ts'
import { createSavedViews } from './service.ts'

export const savedViews = defineFeature({
  name: 'saved-views',
  create: parts => ({
    services: { savedViews: createSavedViews(parts) },
    listeners: [createViewsFollow()],
  }),
})
