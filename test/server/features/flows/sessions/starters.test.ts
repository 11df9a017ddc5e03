import t from 'tap'
import { writeDraft } from '#client/flows/editor/draft/draft.ts'
import { type StarterKey, starterKeys } from '#client/flows/starter-plans.ts'
import { starterOf } from '#client/flows/starters.ts'
import { weekdays } from '#shared/orgs/business-hours.ts'
import { flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const nothing = graphOf([{ id: 'e', type: 'end' }], [['s', 'next', 'e']])
const week = Object.fromEntries(weekdays.map(day => [day, []]))
const never = { week, exceptions: [] }
const nobody = [{ id: 'm', kind: 'manual' } as const]

/** The customer's messages, and the end. `byHand`: a person starts it. */
const stories: Record<StarterKey, { says: readonly string[]; ends: string; byHand?: true; isClosed?: true }> = {
  welcome: { says: ['hola', 'Horarios'], ends: 'finished' },
  hours: { says: ['¿Hay pan?', 'Dos docenas'], ends: 'handedOff: asked', isClosed: true },
  lead: { says: ['Quiero un presupuesto', 'Pan dulce', 'ana@', 'ana@pan.example'], ends: 'handedOff: asked' },
  appointment: { says: ['un turno', '32/13', '25/12', 'A la tarde', 'Ana'], ends: 'handedOff: asked' },
  // Its address never resolves: a person takes over.
  order: { says: ['¿Dónde está mi pedido?', 'A-77'], ends: 'handedOff: asked' },
  satisfaction: { says: ['hola', 'Mal', 'Tardaron mucho'], ends: 'handedOff: asked', byHand: true },
  optOut: { says: ['No quiero recibir más', 'Sí, seguir'], ends: 'finished' },
}

for (const key of starterKeys)
  t.test(`the starter «${key}» can be published unchanged, and a customer is answered to its end`, async t => {
    const { says, ends, byHand, isClosed } = stories[key]
    const pushFetch = (async () => new Response('', { status: 503 })) as typeof fetch
    const { backend, call, say, later, said, sessions } = await flowStage(t, nothing, nobody, { pushFetch })
    if (isClosed) {
      const set = await call('PUT', '/organization/business-hours', { hours: never })
      t.ok(set.status < 300, JSON.stringify(set.body))
    }
    const { body: flow } = await call('POST', '/whatsapp/flows', writeDraft(starterOf(key, 'es')))
    const published = await call('POST', `/whatsapp/flows/${flow.id}/publish`, {})
    t.equal(published.status, 200, JSON.stringify(published.body))
    for (const [place, text] of says.entries()) {
      await say(text)
      if (place === 0 && byHand) {
        await call('POST', `/whatsapp/conversations/${flowPhone}/control`, { owner: 'bot' })
        const begun = await call('POST', `/whatsapp/flows/${flow.id}/start`, { phone: flowPhone })
        t.equal(begun.status, 201, JSON.stringify(begun.body))
        await backend.settle()
      }
    }
    // A service that does not respond is called again.
    for (let minute = 0; minute < 5; minute += 1) await later(60_000)
    t.same(await sessions(), [ends])
    const texts = await said()
    t.ok(texts.length >= 2, texts.join(' · '))
    t.notOk(
      texts.some(text => text?.includes('{{')),
      'no braces',
    )
    t.same(backend.errors(), [])
  })
