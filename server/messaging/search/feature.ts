import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createIndexing } from './indexing.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    indexing: ReturnType<typeof createIndexing>
  }
}

export const search = defineFeature({
  name: 'search',
  create(parts) {
    const indexing = createIndexing(parts)
    return { provides: { indexing }, listeners: [indexing.listener], start: () => void indexing.start() }
  },
})
