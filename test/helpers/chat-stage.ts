import type { Test } from 'tap'
import { type AMember, aMember } from './actors.ts'
import { aHouse } from './house.ts'

/** An organization on the simulator, its owner, and calls as anybody of it. */
export const chatStage = async (t: Test, options: Parameters<typeof aHouse>[1] = {}) => {
  const house = await aHouse(t, options)
  const { databases, clock } = house
  const owner = await aMember({ databases, orgName: 'Panadería' })
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    who: AMember = owner,
  ) => {
    const reply = await house.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: who.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  return { house, databases, clock, owner, call }
}
