import type { FastifyInstance } from 'fastify'

interface KeyFacts {
  readonly name?: string
  readonly scopes?: readonly string[]
  readonly expiresIn?: number
}

/** Creates a key through the API. Returns its text and id. */
export async function aKey(
  app: Pick<FastifyInstance, 'inject'>,
  cookie: string,
  { name = 'CRM', ...facts }: KeyFacts = {},
): Promise<{ id: string; key: string }> {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/auth/api-key/create',
    headers: { cookie },
    payload: { name, ...facts },
  })
  if (reply.statusCode !== 200) throw new Error(`No key: ${reply.statusCode} ${reply.body}`)
  return reply.json()
}
