import { defineFeature } from '#server/platform/wiring/feature.ts'
import { mountAnswerFiles } from './routes.ts'
import { createReadyAnswers } from './service.ts'

export const readyAnswers = defineFeature({
  name: 'ready-answers',
  needs: ['files'],
  create(parts) {
    const answers = createReadyAnswers({ ...parts, storage: parts.storages.media })
    return {
      services: { readyAnswers: answers.service },
      routes: app => mountAnswerFiles(app, { answers }),
    }
  },
})
