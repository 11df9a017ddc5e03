/** An organization with an approved template, the simulator as Meta, and the calls of bulk sends. */
import type { Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import type { BulkRecipient, BulkSend, BulkSendReport } from '#shared/bulk-sends/sends.ts'
import { aMember } from './actors.ts'
import { startBackend } from './backend.ts'

export const phones = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `549115550${1000 + from + i}`)

export const aBulkStage = async (t: Test, options: Parameters<typeof startBackend>[1] = {}) => {
  const backend = await startBackend(t, options)
  const { databases, clock } = backend
  const owner = await aMember({ databases, orgName: 'Panadería' })
  const askAs =
    (cookie: string) =>
    async <T>(method: 'GET' | 'POST', path: string, body?: object) => {
      const reply = await backend.inject({
        method,
        url: `/api${path}`,
        headers: { cookie },
        ...(body ? { payload: body } : {}),
      })
      return { status: reply.statusCode, json: reply.json() as T }
    }
  const ask = askAs(owner.cookie)
  const later = async (ms: number) => {
    clock.advance(ms)
    await backend.settle()
  }
  await ask('POST', '/whatsapp/connection/sandbox')
  const template = async (text: string, category = 'UTILITY') => {
    const examples = ['Ana', '4711'].slice(0, text.match(/\{\{/g)?.length ?? 0)
    const { json } = await ask<{ id: string }>('POST', '/whatsapp/template', {
      template: {
        name: `aviso_${newId()}`,
        language: 'es_AR',
        category,
        components: [{ type: 'BODY', text, ...(examples.length ? { example: { body_text: [examples] } } : {}) }],
      },
    })
    await later(60_000)
    await ask('POST', '/sandbox/template/'.concat(json.id), { status: 'APPROVED' })
    await backend.settle()
    await ask('POST', '/whatsapp/template/sync')
    return json.id
  }
  const id = await template('Hola, mañana abrimos a las ocho en punto.')
  const create = async (body: object) =>
    (await ask<BulkSend>('POST', '/whatsapp/bulk-sends', { template: id, ...body })).json
  const report = async (send: { id: string }) =>
    (await ask<BulkSendReport>('GET', `/whatsapp/bulk-sends/${send.id}`)).json
  const recipients = async (send: { id: string }, query = '') =>
    (await ask<{ items: BulkRecipient[] }>('GET', `/whatsapp/bulk-sends/${send.id}/recipients${query}`)).json.items
  /** How many of our messages the simulator has accepted, by customer. */
  const taken = () =>
    databases.read
      .selectFrom('sandbox_message')
      .select(['wa_id', eb => eb.fn.countAll<number>().as('count')])
      .where('org_id', '=', owner.org.id)
      .where('direction', '=', 'out')
      .groupBy('wa_id')
      .execute()
  return { phones, backend, owner, ask, askAs, later, template, id, create, report, recipients, taken }
}
