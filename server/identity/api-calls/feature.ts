import { findKeys, listKeyNames } from '#server/identity/auth/keys/api-keys.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { type CallRecorder, createCallRecorder } from './recorder.ts'
import { createApiCalls } from './service.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    callRecorder: CallRecorder
  }
}

export const apiCalls = defineFeature({
  name: 'api-calls',
  create(parts) {
    const recorder = createCallRecorder({ ...parts, findKeys })
    return {
      provides: { callRecorder: recorder },
      services: { apiCalls: createApiCalls({ ...parts, recorder, listKeyNames }) },
      chores: [{ name: 'calls of API keys', run: now => recorder.prune(now) }],
      start: () => recorder.start(),
      stop: () => recorder.stop(),
    }
  },
})
