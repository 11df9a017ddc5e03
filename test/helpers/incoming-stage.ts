import type { Test } from 'tap'
import type { WireTrigger } from '#shared/flows/wire.ts'
import type { HookAction } from '#shared/incoming-hooks/api.ts'
import { type Drawn, flowStage, graphOf } from './flow-stage.ts'

export const incomingPath = '/whatsapp/incoming-hooks'
const order: Drawn = { id: 'm', type: 'message', text: 'Tu pedido {{flujo.pedido}} salió.' }
const onHook: WireTrigger[] = [{ id: 'hook', kind: 'webhook', variables: ['pedido'] }]

/** An organization on the simulator with a published flow, a tag and an approved template, and a program that calls. */
export const incomingStage = async (t: Test, options: Parameters<typeof flowStage>[3] = {}) => {
  const stage = await flowStage(t, graphOf([order], [['s', 'next', 'm']]), onHook, options)
  const { backend, call, databases, owner } = stage
  const { id: tag } = (await call('POST', '/whatsapp/tags', { label: 'VIP' })).body as { id: string }
  const approve = async (category: string) => {
    const components = [
      { type: 'BODY', text: 'Hola {{1}}, tu pedido {{2}} salió hoy.', example: { body_text: [['Ana', 'A-1']] } },
    ]
    const made = await call('POST', '/whatsapp/template', {
      template: { name: 'aviso_de_pedido', language: 'es_AR', category, components },
    })
    backend.clock.advance(60_000)
    await backend.settle()
    await call('POST', `/sandbox/template/${made.body.id}`, { status: 'APPROVED' })
    await backend.settle()
    await call('POST', '/whatsapp/template/sync')
    await backend.settle()
  }
  const makeHook = async (action: Partial<HookAction>, name = 'Pedido listo') => {
    const { status, body } = await call('POST', incomingPath, {
      name,
      action: { number: '{{customer.phone}}', ...action },
    })
    t.equal(status, 201, JSON.stringify(body))
    return { id: body.hook.id as string, at: new URL(body.url).pathname }
  }
  /** A program's call. Text and bytes are sent as they are. */
  const post = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
    // Calls are listed by the time at which they came.
    backend.clock.advance(1000)
    const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const reply = await backend.inject({
      ...{ method: 'POST', url, payload },
      headers: { 'content-type': 'application/json', ...headers },
    })
    await backend.settle()
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
  }
  const calls = async (id: string, query = '') => (await call('GET', `${incomingPath}/${id}/calls${query}`)).body.items
  const messages = () =>
    databases.read
      .selectFrom('message')
      .select(['type', 'text', 'author_kind', 'author_name'])
      .where('org_id', '=', owner.org.id)
      .where('type', '!=', 'activity')
      .orderBy('seq')
      .execute()
  return { ...stage, tag, approve, makeHook, post, calls, messages }
}
