import type { FastifyBaseLogger } from 'fastify'

/** Facts first, then the sentence: `log.info({ orgId }, 'connected')`. Never message texts, tokens or codes. */
export type Log = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error' | 'child'>
