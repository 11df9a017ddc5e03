import type { Test } from 'tap'
import { type AMember, aMember } from './actors.ts'
import { startBackend } from './backend.ts'

/** An organization on the simulator, its owner, and calls as any of its members. */
export const chatStage = async (t: Test, options: Parameters<typeof startBackend>[1] = {}) => {
  const backend = await startBackend(t, options)
  const { databases, clock } = backend
  const owner = await aMember({ databases, orgName: 'Panadería' })
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    who: AMember = owner,
  ) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: who.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  return { backend, databases, clock, owner, call }
}
