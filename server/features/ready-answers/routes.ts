import type { FastifyInstance } from 'fastify'
import { dispositionOf, filePolicy } from '#server/messaging/media/kind.ts'
import { admit } from '#server/platform/http/access.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { organizationOf } from '#server/platform/http/http.ts'
import { endpointReader } from '#server/platform/http/validate.ts'
import { answerFile } from '#shared/ready-answers/api.ts'
import { answerErrors } from './errors.ts'
import type { ReadyAnswers } from './service.ts'

/** The file of a ready answer, for people who have the answer. */
export function mountAnswerFiles(app: FastifyInstance, { answers }: { readonly answers: ReadyAnswers }): void {
  const reader = endpointReader(answerFile)
  app.route({
    method: 'GET',
    url: `/api${answerFile.path}`,
    exposeHeadRoute: false,
    config: { endpoint: answerFile, service: 'readyAnswers', name: 'answerFile' },
    handler: async (request, reply) => {
      request.actor = await admit(answerFile, request.caller, organizationOf(request))
      const { params } = reader.read({ params: request.params, query: request.query }) as {
        params: { id: string }
      }
      const file = await answers.getFile(request.actor as OrgCaller, params.id)
      const bytes = await answers.readFile(file.path)
      if (!bytes) {
        app.log.error({ fileId: file.id }, 'the file of a ready answer is missing where files are kept')
        throw answerErrors.FILE_NOT_FOUND()
      }
      reply
        .headers({
          'content-security-policy': filePolicy,
          'x-content-type-options': 'nosniff',
          // The file can be replaced.
          'cache-control': 'private, no-cache',
          'content-disposition': dispositionOf(file),
          'content-length': file.size,
        })
        .type(file.mime)
      return reply.send(bytes)
    },
  })
}
