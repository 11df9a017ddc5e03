import { defineFeature } from '#server/platform/wiring/feature.ts'
import { isSimulated } from './management/meta-app.ts'

/** The Graph API that serves a number: Meta's or the simulator's. */
export type GraphOf = (kind: 'cloud' | 'sandbox') => { readonly baseUrl: string; readonly version: string }

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    graphOf: GraphOf
  }
}

export const whatsapp = defineFeature({
  name: 'whatsapp',
  create({ config, world }) {
    const graphOf: GraphOf = kind => ({
      baseUrl: kind === 'sandbox' || isSimulated(config) ? `${world.selfUrl()}/sandbox/graph` : config.graph.url,
      version: config.graph.version,
    })
    return { provides: { graphOf } }
  },
})
