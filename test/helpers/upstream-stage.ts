import type { Test } from 'tap'
import type { Databases } from '#server/platform/db/db.ts'
import { type AMember, aMember } from './actors.ts'
import { startBackend } from './backend.ts'
import { handClock } from './clock.ts'
import { startProductApi } from './product-api.ts'

/** Recado in front of a product API (by default the example), its owner, and calls as any of its members. */
export const upstreamStage = async (
  t: Test,
  {
    url,
    clock,
    allow = '127.0.0.1',
    secret,
    databases: given,
  }: {
    url?: string
    clock?: ReturnType<typeof handClock>
    allow?: string
    secret?: string
    databases?: Databases
  } = {},
) => {
  let recadoUrl = ''
  const example = url === undefined ? await startProductApi({ recadoUrl: () => recadoUrl }) : undefined
  t.teardown(() => example?.server.close())
  const backend = await startBackend(t, {
    env: {
      PRODUCT_API_URL: url ?? (example?.url as string),
      OUTBOUND_ALLOW: allow,
      ...(secret ? { PRODUCT_API_SECRET: secret } : {}),
    },
    clock: clock ?? handClock(new Date().toISOString()),
    ...(given ? { databases: given } : {}),
  })
  recadoUrl = backend.url
  const { databases } = backend
  const owner = await aMember({ databases, orgName: 'Panadería' })
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    { who = owner, headers = {} }: { who?: AMember; headers?: Record<string, string> } = {},
  ) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: who.cookie, 'accept-language': 'es', ...headers },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, headers: reply.headers, body: reply.body ? reply.json() : undefined }
  }
  /** A customer of the example with one message for each text, a minute apart, oldest first. */
  const aChat = (phone: string, name: string, texts: readonly string[], org = owner.org.id) => {
    const began = Date.now() - texts.length * 60_000
    example?.bookOf(org).conversations.set(phone, {
      ...{ phone, name, archived: false, unread: texts.length },
      messages: texts.map((text, i) => ({
        ...{
          id: `${phone}-${i}`,
          wamid: `wamid.${phone}-${i}`,
          direction: 'in',
          type: 'text',
          text,
          status: 'received',
        },
        at: new Date(began + i * 60_000).toISOString(),
      })),
    })
  }
  return { backend, databases, example: example as NonNullable<typeof example>, owner, call, aChat }
}
