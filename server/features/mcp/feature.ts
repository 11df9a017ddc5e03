import { defineFeature } from '#server/platform/wiring/feature.ts'
import { mountMcp } from './routes.ts'

/** Agents (Model Context Protocol). */
export const mcp = defineFeature({
  name: 'mcp',
  create: parts => ({ routes: app => mountMcp(app, parts) }),
})
