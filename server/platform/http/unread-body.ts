import type { FastifyRequest } from 'fastify'

/**
 * The bytes of a request whose route leaves its body unread. Who stops reading them early does not end the connection,
 * on which the reply follows.
 */
export const unreadBody = ({ raw }: Pick<FastifyRequest, 'raw'>): AsyncIterable<Uint8Array> =>
  raw.iterator({ destroyOnReturn: false })
