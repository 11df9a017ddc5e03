import t from 'tap'
import { buildKeywords, readKeywords, runBlocking } from '#server/features/flows/step/keywords.ts'
import {
  chooseFlow as chooseRanked,
  type FlowTrigger,
  type Occasion,
  rankTriggers,
  type Triggered,
  whyNot,
} from '#shared/flows/triggers/triggers.ts'

const chooseFlow = (flows: readonly Triggered[], what: Occasion) => {
  const text = what.what.kind === 'message' ? what.what.text : ''
  const hits = runBlocking(readKeywords(runBlocking(buildKeywords(flows)), text))
  const chosen = chooseRanked(rankTriggers(flows), what, hits)
  return { chosen, others: whyNot(flows, what, hits, chosen) }
}

const occasion = (text: string, over: Partial<Occasion> = {}): Occasion => ({
  what: { kind: 'message', text, tappedId: null },
  isOpen: true,
  isFirst: false,
  wasArchived: false,
  silentHours: 1,
  tagIds: [],
  flowsBefore: [],
  ...over,
})
const word = (
  id: string,
  match: 'equals' | 'startsWith' | 'contains' | 'pattern',
  ...words: string[]
): FlowTrigger => ({
  id,
  kind: 'keyword',
  match,
  words,
})
const chosen = (triggers: Record<string, FlowTrigger[]>, what: Occasion) =>
  chooseFlow(
    Object.entries(triggers).map(([flowId, of]) => ({ flowId, triggers: of })),
    what,
  ).chosen?.flowId ?? null

t.test('a more exact word match wins, whatever the order', async t => {
  const flows = {
    default: [{ id: 't', kind: 'default' } as FlowTrigger],
    pattern: [word('t', 'pattern', '^precio')],
    contains: [word('t', 'contains', 'precio')],
    starts: [word('t', 'startsWith', 'precio')],
    equals: [word('t', 'equals', ' PRECIÓ ')],
  }
  t.equal(chosen(flows, occasion('precio')), 'equals')
  t.equal(chosen(flows, occasion('Precio de  hoy')), 'starts')
  t.equal(chosen(flows, occasion('el PRECIO')), 'contains')
  t.equal(chosen({ ...flows, contains: [], starts: [] }, occasion('precio x')), 'pattern')
  t.equal(chosen(flows, occasion('nada')), 'default')
})

t.test('among equals the first flow wins, and every other trigger has a reason', async t => {
  const flows = [
    { flowId: 'a', triggers: [word('1', 'equals', 'no'), word('2', 'equals', 'hola')] },
    { flowId: 'b', triggers: [word('3', 'equals', 'hola')] },
    { flowId: 'c', triggers: [{ ...word('4', 'equals', 'hola'), tagId: 'vip' }] },
    { flowId: 'd', triggers: [{ ...word('5', 'equals', 'hola'), oncePerContact: true }] },
  ]
  t.same(chooseFlow(flows, occasion('hola', { flowsBefore: ['d'] })), {
    chosen: { flowId: 'a', triggerId: '2' },
    others: [
      { flowId: 'a', triggerId: '1', why: 'notThis' },
      { flowId: 'b', triggerId: '3', why: 'later' },
      { flowId: 'c', triggerId: '4', why: 'tagMissing' },
      { flowId: 'd', triggerId: '5', why: 'beforeAlready' },
    ],
  })
})

t.test('a first message is not a reopening; an archive or a long silence is', async t => {
  const flows: Record<string, FlowTrigger[]> = {
    first: [{ id: 't', kind: 'firstMessage' }],
    again: [{ id: 't', kind: 'reopened', afterHours: 24 }],
  }
  t.equal(chosen(flows, occasion('x', { isFirst: true, silentHours: null })), 'first')
  t.equal(chosen(flows, occasion('x', { silentHours: 23.9 })), null)
  t.equal(chosen(flows, occasion('x', { silentHours: 24 })), 'again')
  t.equal(chosen(flows, occasion('x', { wasArchived: true })), 'again')
})

t.test('triggers for and outside business hours apply only then', async t => {
  const flows: Record<string, FlowTrigger[]> = {
    open: [{ id: 't', kind: 'default', hours: 'inside' }],
    closed: [{ id: 't', kind: 'default', hours: 'outside' }],
  }
  t.equal(chosen(flows, occasion('x')), 'open')
  t.equal(chosen(flows, occasion('x', { isOpen: false })), 'closed')
})

t.test('an answer to a bulk send precedes an advertisement, and both a first message', async t => {
  const flows: Record<string, FlowTrigger[]> = {
    default: [{ id: 't', kind: 'default' }],
    first: [{ id: 't', kind: 'firstMessage' }],
    ad: [{ id: 't', kind: 'ad', ids: [] }],
    spring: [{ id: 't', kind: 'campaign', sendId: 'spring', withinDays: 2 }],
    word: [word('t', 'equals', 'sí')],
  }
  const said = (more: object, text = 'x') =>
    chosen(flows, occasion('', { isFirst: true, what: { kind: 'message', text, tappedId: null, ...more } }))
  const spring = { sendId: 'spring', hoursAgo: 48 }
  t.equal(said({ answers: spring, ad: { id: '1' } }), 'spring')
  t.equal(said({ answers: spring }, 'Sí'), 'word')
  t.equal(said({ answers: { ...spring, hoursAgo: 48.1 } }), 'first')
  t.equal(said({ answers: { ...spring, sendId: 'autumn' } }), 'first')
  t.equal(said({ ad: { id: null } }), 'ad')
  t.equal(said({}), 'first')
  const named: Record<string, FlowTrigger[]> = {
    ad: [{ id: 't', kind: 'ad', ids: ['1', '2'] }],
    any: [{ id: 't', kind: 'campaign', withinDays: 7 }],
  }
  const what = (more: object) => occasion('', { what: { kind: 'message', text: 'x', tappedId: null, ...more } })
  t.equal(chosen(named, what({ ad: { id: '2' } })), 'ad')
  t.equal(chosen(named, what({ ad: { id: '3' } })), null)
  t.equal(chosen(named, what({ ad: { id: null } })), null)
  t.equal(chosen(named, what({ answers: spring })), 'any')
})

t.test('a tapped button precedes its text, and a tag change never matches a message', async t => {
  const flows: Record<string, FlowTrigger[]> = {
    words: [word('t', 'equals', 'sí'), { id: 'd', kind: 'default' }],
    button: [{ id: 't', kind: 'action', ids: ['yes'] }],
    tag: [{ id: 't', kind: 'tagAdded', changedTagId: 'vip' }],
    manual: [{ id: 't', kind: 'manual' }],
  }
  t.equal(chosen(flows, occasion('', { what: { kind: 'message', text: 'Sí', tappedId: 'yes' } })), 'button')
  t.equal(chosen(flows, occasion('', { what: { kind: 'message', text: 'Sí', tappedId: 'no' } })), 'words')
  t.equal(chosen(flows, occasion('', { what: { kind: 'tagAdded', tagId: 'vip' } })), 'tag')
  t.equal(chosen(flows, occasion('', { what: { kind: 'tagRemoved', tagId: 'vip' } })), null)
})
