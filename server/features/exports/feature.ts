import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createContents } from './contents.ts'
import { createExports } from './exports.ts'
import { mountExports } from './routes.ts'

export const exports = defineFeature({
  name: 'exports',
  create(parts) {
    const { clock, storages } = parts
    const made = createExports({
      ...parts,
      contents: createContents({ ...parts, readFile: path => storages.media.read(path) }),
    })
    return { services: { orgExport: made.service }, routes: app => mountExports(app, { exports: made, clock }) }
  },
})
