import t, { type Test } from 'tap'
import { chatwootApi, chatwootToken } from '#test/fixtures/dumps/chatwoot-api.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { type Caller, call, connectedOrg, getImport, picture } from './stage.ts'

export type Answer = (url: string, init: RequestInit) => Response | Promise<Response> | undefined
export const usual = chatwootApi({ picture })
export const from = { address: 'chatwoot.example.com', token: chatwootToken }

/** A backend on which a Chatwoot answers every call. */
export async function startWithChatwoot() {
  /** What answers at the address; undefined: the usual one. */
  const chatwoot: { api: typeof usual; answer?: Answer | undefined; asked: string[] } = { api: usual, asked: [] }
  const pushFetch = (async (url: string, init: RequestInit) => {
    chatwoot.asked.push(url)
    const own = await chatwoot.answer?.(url, init)
    if (own) return own
    const headers = new Headers(init.headers)
    const { status, body, headers: sent = {} } = chatwoot.api.answer(url, name => headers.get(name))
    return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers: sent })
  }) as unknown as typeof fetch
  const clock = handClock()
  const backend = await startBackend(t, { pushFetch, clock })
  t.beforeEach(() => {
    Object.assign(chatwoot, { api: usual, answer: undefined, asked: [] })
  })

  const begin = (caller: Caller, changes: Partial<typeof from> = {}) =>
    call(caller, 'POST', '', { source: 'chatwoot', from: { ...from, ...changes } })
  const fetched = async (t: Test, caller: Caller, changes: Partial<typeof from> = {}) => {
    const made = await begin(caller, changes)
    t.equal(made.statusCode, 201, made.body)
    await backend.settle()
    return getImport(caller, made.json().id)
  }
  const taken = async (t: Test, caller: Caller) => {
    const { id, state, failure } = await fetched(t, caller)
    t.equal(state, 'ready', String(failure))
    await call(caller, 'POST', `/${id}/start`)
    await backend.settle()
    return getImport(caller, id)
  }
  /** Lets so many waits go by. */
  const passWaits = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      clock.advance(901_000)
      await backend.settle()
    }
  }
  const connected = (name: string) => connectedOrg(backend, name)
  return { backend, clock, chatwoot, connected, begin, fetched, taken, passWaits }
}
