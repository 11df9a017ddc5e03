import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createScopeListener } from './scope-changes.ts'
import { createScopes, type Scopes } from './scopes.ts'
import { createVisibility } from './service.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    scopes: Scopes
  }
}

export const visibility = defineFeature({
  name: 'visibility',
  later: ['tags'],
  create(parts, later) {
    const tags = {
      list: (...of: Parameters<typeof later.tags.list>) => later.tags.list(...of),
      has: (...of: Parameters<typeof later.tags.has>) => later.tags.has(...of),
    }
    return {
      provides: { scopes: createScopes(parts) },
      services: { visibility: createVisibility({ ...parts, tags }) },
      listeners: [createScopeListener()],
    }
  },
})
