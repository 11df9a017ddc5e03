import type { FastifyInstance, FastifyRequest } from 'fastify'
import { appErrors } from './errors.ts'

/** Does not read bodies into memory in a scope of routes that take files. Their handlers read the stream. */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** @throws APP_WRONG_CONTENT_TYPE for a form where the body is the file, which would be stored with its boundaries */
export function refuseForm({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (/^(?:multipart\/|application\/x-www-form-urlencoded)/i.test(headers['content-type'] ?? ''))
    throw appErrors.WRONG_CONTENT_TYPE({ textCode: 'APP_FILE_NOT_FORM' })
}

/**
 * The bytes of a request whose route leaves its body unread. Who stops reading them early does not end the connection,
 * on which the reply follows.
 */
export const unreadBody = ({ raw }: Pick<FastifyRequest, 'raw'>): AsyncIterable<Uint8Array> =>
  raw.iterator({ destroyOnReturn: false })
