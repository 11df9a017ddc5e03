import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createTagService } from './service.ts'
import { createTags, type Tags } from './tags.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    tags: Tags
  }
}

export const tags = defineFeature({
  name: 'tags',
  needs: ['scopes'],
  create: parts => ({
    provides: { tags: createTags() },
    services: { tags: createTagService(parts) },
  }),
})
