import type { FastifyReply } from 'fastify'
import { GraphError } from './graph-error.ts'
import { newTraceId } from './ids.ts'

/** Errors of Fastify: bodies that are too large, unreadable uploads. */
export const asGraphError = (error: { statusCode?: number; message: string }): GraphError | undefined =>
  error.statusCode !== undefined && error.statusCode < 500
    ? new GraphError({ code: 100, message: '(#100) Invalid parameter', details: error.message, status: 400 })
    : undefined

/** The headers of every answer. `isSet`: they were set before. */
export const setHeaders = (reply: FastifyReply, version: string, isSet = false) => {
  if (isSet) return
  reply.headers({
    'facebook-api-version': version,
    'x-fb-trace-id': newTraceId(),
    'x-fb-request-id': newTraceId(),
    'x-fb-rev': '1030000000',
    'access-control-allow-origin': '*',
    'cache-control': 'private, no-cache, no-store, must-revalidate',
    pragma: 'no-cache',
    expires: 'Sat, 01 Jan 2000 00:00:00 GMT',
  })
}

export const sendJson = (reply: FastifyReply, body: unknown) =>
  reply.header('content-type', 'application/json; charset=UTF-8').serializer(JSON.stringify).send(body)
