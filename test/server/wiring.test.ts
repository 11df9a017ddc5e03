/** The order in which the product's listeners hear, and what the features contribute as a whole. */
import t from 'tap'
import { wantedFields } from '#server/wiring.ts'
import { startBackend } from '#test/helpers/backend.ts'

const taps = 'taps on buttons that do something'
const givenOut = 'conversations given out where somebody can have one more'
const optOutWords = 'opt-out words'
const refusals = 'opt-outs by refusal'
const activity = 'activity lines'
const rights = 'rights to bulk sends'
const agent = "chats taken from Meta's agent"
const handedOver = 'flows of conversations that change hands'

/** Each hears what those before it derived, or must not hear what those behind it derive. */
const chains: readonly (readonly string[])[] = [
  // A tap may hand a conversation over; then somebody is given it, told of it, and a line says so.
  [taps, givenOut, 'assignment notices', activity],
  [taps, givenOut, 'waiting notices'],
  [taps, givenOut, 'reply notices', optOutWords],
  [taps, optOutWords, activity, agent, handedOver],
  [refusals, activity],
  [taps, 'people written to first'],
  [optOutWords, 'people written to first'],
  // Who opts out counts among the outcomes of a send.
  [optOutWords, 'outcomes of bulk sends', handedOver],
  [refusals, 'outcomes of bulk sends', handedOver],
  // Without rights a send stops, which is told, noted, and frees the number.
  [rights, 'bulk send notices'],
  [rights, 'history of bulk sends'],
  [rights, 'messaging limits'],
  ['scheduled messages that an answer makes needless', 'notices of scheduled messages'],
  [taps, 'flows that begin with a tag'],
  // Sessions end before the flows of a merged contact are looked through.
  [handedOver, 'flows of contacts that become one', 'flows of contacts that are two again'],
]

t.test('listeners hear in the order that they depend on', async t => {
  const { parts: backend } = await startBackend(t)
  const order = backend.listeners.transactional.map(({ name }) => name)
  for (const chain of chains) {
    const places = chain.map(name => order.indexOf(name))
    t.notOk(places.includes(-1), `${chain.join(' < ')}: all are listeners`)
    t.same(
      places,
      places.toSorted((a, b) => a - b),
      chain.join(' < '),
    )
  }
  const last = order.slice(-5)
  t.equal(last.at(-1), 'live', 'open tabs are told of everything')
  t.same(
    last.toSorted(),
    ['changes of sight', 'live', 'outgoing webhooks', 'push', 'search index'],
    'those who hear of all others',
  )
})

t.test('listeners that create notifications run before the one that sends pushes', async t => {
  const { parts: backend } = await startBackend(t)
  const order = backend.listeners.transactional.map(({ name }) => name)
  const notices = order.filter(name => /notices/.test(name))
  t.ok(notices.length >= 11, 'there are notices of many kinds')
  for (const name of notices) t.ok(order.indexOf(name) < order.indexOf('push'), name)
})

t.test('a number asks for the fields of webhooks that some feature takes', async t => {
  const { parts: backend } = await startBackend(t)
  t.same(wantedFields.vital, ['messages', 'standby', 'messaging_handovers', 'calls', 'history'])
  t.equal(new Set(wantedFields.all).size, wantedFields.all.length, 'each once')
  const origin = { connectionId: 'c', wabaId: 'w', phoneNumberId: 'p' }
  for (const field of wantedFields.all.filter(name => !wantedFields.vital.includes(name)))
    t.ok(backend.webhookTakers.of({ ...origin, kind: 'management', field, value: {} } as never), field)
})
