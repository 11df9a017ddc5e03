import type { Test } from 'tap'
import { aKey } from './api-keys.ts'
import { flowPhone } from './flow-stage.ts'
import { webhookPath, webhookStage, webhookUrl } from './webhook-stage.ts'

/** The customer of the stage's `say`. */
export const gatewayCustomer = flowPhone

/** An organization on the simulator, with a program that speaks Meta's API and hears Meta's webhooks. */
export const gatewayStage = async (t: Test, { scopes }: { scopes?: readonly string[] } = {}) => {
  const stage = await webhookStage(t)
  const { backend, databases, call, program, heard } = stage
  program.answer = ({ method, url }) =>
    new Response(method === 'GET' ? new URL(url).searchParams.get('hub.challenge') : 'ok')
  const { key } = await aKey(backend.app, stage.owner.cookie, { name: 'Bot', ...(scopes ? { scopes } : {}) })
  const { phone_number_id: number, waba_id: waba } = await databases.read
    .selectFrom('wa_connection')
    .select(['phone_number_id', 'waba_id'])
    .executeTakeFirstOrThrow()
  /** Calls the gateway as a program would. */
  const graph = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    headers: Record<string, string> = { authorization: `Bearer ${key}` },
  ) => {
    const reply = await backend.inject({
      method,
      url: `/graph/v25.0/${path}`,
      headers,
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, headers: reply.headers, body: reply.json(), reply }
  }
  const send = (message: object, headers: Record<string, string> = {}) =>
    graph(
      'POST',
      `${number}/messages`,
      { messaging_product: 'whatsapp', to: gatewayCustomer, ...message },
      { authorization: `Bearer ${key}`, ...headers },
    )
  const thread = async () =>
    // biome-ignore lint/suspicious/noExplicitAny: tests read any of the fields
    (await call('GET', `/whatsapp/chats/${gatewayCustomer}`)).body.items as any[]
  /** Adds a webhook of Meta's format. */
  const listenRaw = async (more: object = {}) => {
    await call('POST', webhookPath, { name: 'bot', url: webhookUrl, format: 'meta', ...more })
    await backend.settle()
    heard.length = 0
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests read any of the fields
  const heardValues = async (): Promise<any[]> => {
    // The statuses of a message follow one another.
    for (let step = 0; step < 4; step += 1) {
      await backend.settle()
      backend.clock.advance(60_000)
    }
    await backend.settle()
    return heard
      .splice(0)
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => JSON.parse(body).entry[0].changes[0].value)
  }
  return { ...stage, key, number, waba, graph, send, thread, listenRaw, heardValues }
}
