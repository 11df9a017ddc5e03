import t from 'tap'
import { advanceSession } from '#server/features/flows/step/advance-session.ts'
import type { FlowWorld } from '#server/features/flows/step/advance-types.ts'
import { buildKeywords, readKeywords, runBlocking } from '#server/features/flows/step/keywords.ts'
import type { FlowNode } from '#shared/flows/graph.ts'
import { indexGraph } from '#shared/flows/graph.ts'
import { problemsOf } from '#shared/flows/problems/problems.ts'
import { keywordLimits } from '#shared/flows/triggers/keyword-limits.ts'
import { type FlowTrigger, rankTriggers, type Triggered } from '#shared/flows/triggers/triggers.ts'
import { fold } from '#shared/kernel/fold.ts'
import { createWork, workLimits } from '#shared/kernel/work.ts'

/** Milliseconds of processor time. */
const cpuOf = (work: () => unknown): number => {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
/**
 * The unit of measure, so that a slow machine does not fail: folding a long text a hundred times. The limits leave room,
 * because a virtual machine counts time that its host takes away as processor time.
 */
const usual = cpuOf(() => Array.from({ length: 100 }, (_, i) => fold(`${'İ'.repeat(4000)}${i}`)))

const keyword = (id: string, match: 'contains' | 'pattern', words: readonly string[]): FlowTrigger => ({
  ...{ id, kind: 'keyword', match, words },
})
const cjk = Array.from({ length: 1000 }, (_, i) => String.fromCharCode(0x4e00 + i)).join('')
const costOf = (flows: readonly Triggered[], texts: readonly string[]) => {
  const keywords = runBlocking(buildKeywords(flows))
  const unread = new Set<string>()
  const cpu = cpuOf(() => {
    for (const text of texts) for (const id of runBlocking(readKeywords(keywords, text)).unread) unread.add(id)
  })
  return { cpu, unread: [...unread] }
}
const patternsOf = (count: number, patternOf: (i: number) => string): Triggered[] => [
  {
    flowId: 'f',
    triggers: [
      keyword(
        't',
        'pattern',
        Array.from({ length: count }, (_, i) => patternOf(i)),
      ),
    ],
  },
]

t.test('a hundred patterns with counted repetitions cost a message at most its budget', async t => {
  const large = costOf(
    patternsOf(100, i => `(.{0,100}){9}"${i}!`),
    [cjk],
  )
  t.ok(large.cpu < 12 * usual, `${large.cpu} ms, usual ${usual} ms`)
  t.same(large.unread, ['f'], 'and the author of the flow is notified')
  const allowed = costOf(
    patternsOf(100, i => `(a|b)*a(a|b){80}[cd]${i % 10}`),
    ['ab'.repeat(500), 'aab'.repeat(333)],
  )
  t.ok(allowed.cpu < 24 * usual, `${allowed.cpu} ms, usual ${usual} ms`)
  t.same(allowed.unread, ['f'])
})

t.test('thirty thousand words are searched in one pass, including words that end with one another', async t => {
  const words = Array.from({ length: 30 }, (_, f) => ({
    flowId: `f${f}`,
    triggers: Array.from({ length: 20 }, (_, k) =>
      keyword(
        `t${k}`,
        'contains',
        Array.from({ length: 50 }, (_, w) => `palabra ${f} ${k} ${w} zz`),
      ),
    ),
  }))
  const many = costOf(
    words,
    Array.from({ length: 50 }, (_, i) => `${'palabra '.repeat(510)}${i}`),
  )
  t.ok(many.cpu < 12 * usual, `${many.cpu} ms for 50 messages, usual ${usual} ms`)
  t.ok(many.unread.length > 0, `no more than ${keywordLimits.words} words are looked for`)
  const ends = Array.from({ length: 200 }, (_, i) => 'a'.repeat(i + 1))
  const nested = costOf([{ flowId: 'f', triggers: [keyword('t', 'contains', ends)] }], Array(50).fill('a'.repeat(4096)))
  t.ok(nested.cpu < 12 * usual, `${nested.cpu} ms, usual ${usual} ms`)
})

t.test('six thousand triggers that do not match cost almost nothing', async t => {
  const flows = Array.from({ length: 300 }, (_, f) => ({
    flowId: `f${f}`,
    triggers: Array.from({ length: 20 }, (_, k): FlowTrigger => ({ id: `t${k}`, kind: 'tagAdded', changedTagId: 'x' })),
  }))
  t.ok(cpuOf(() => rankTriggers(flows)) < 2 * usual)
})

const world = (work = createWork(workLimits.advance)): FlowWorld => ({
  ...{
    now: '2026-11-25T12:00:00.000Z',
    customerId: 'c1',
    timeZone: 'UTC',
    isOpen: true,
    tagIds: [],
    isWindowOpen: true,
  },
  builtIn: {
    'contacto.nombre': '',
    'contacto.telefono': '',
    'agente.nombre': '',
    'org.nombre': '',
    ultimo_mensaje: '',
  },
  ...{
    expiresAfterHours: 24,
    expiredText: null,
    listLabel: 'Ver opciones',
    knownTagIds: [],
    fillTemplate: () => 'templateGone',
    work,
  },
})
const inARow = (nodes: readonly object[]) =>
  indexGraph({
    nodes: [{ id: 's', type: 'start' }, ...nodes].map(node => ({ x: 0, y: 0, ...node })) as FlowNode[],
    edges: nodes.map((_, i) => ({ id: `e${i}`, from: i ? `n${i - 1}` : 's', output: 'next', to: `n${i}` })),
  } as Parameters<typeof indexGraph>[0])

t.test('formulas and rules of a flow step fold a value once, and stop at its budget', async t => {
  const formula = Array.from({ length: 53 }, () => 'flujo.a=1')
    .join(' o ')
    .slice(0, 483)
  const sets = Array.from({ length: 45 }, (_, i) => ({
    id: `n${i}`,
    type: 'set',
    variable: 'b',
    value: formula,
    formula: true,
  }))
  const place = { nodeId: '', variables: { a: 'İ'.repeat(4080) }, tries: 0 }
  const cpu = cpuOf(() => advanceSession(inARow(sets), place, { kind: 'begin' }, world()))
  t.ok(cpu < 12 * usual, `${cpu} ms, usual ${usual} ms`)
  // One more: each formula makes another text, so that none is folded already.
  const others = Array.from({ length: 45 }, (_, i) => ({
    ...{ id: `n${i}`, type: 'set', variable: 'b', formula: true },
    value: Array.from({ length: 16 }, (_, k) => `contiene(reemplazar(flujo.a, "${i}", "x${k}"), "y${k}${i}")`)
      .join(' o ')
      .slice(0, 480)
      .replace(/ o [^)]*\)?[^)]*$/, ''),
  }))
  const advance = { steps: [] as readonly { why: string | null }[] }
  const dear = cpuOf(() =>
    Object.assign(
      advance,
      advanceSession(
        inARow(others),
        { ...place, variables: { a: `${'İ'.repeat(4000)}0123456789` } },
        { kind: 'begin' },
        world(),
      ),
    ),
  )
  t.ok(dear < 24 * usual, `${dear} ms, usual ${usual} ms`)
  t.ok(
    advance.steps.some(({ why }) => why === 'tooMuchWork'),
    'and the steps report it',
  )
})

t.test('an answer for a pattern that is too large counts as not matching, and is reported', async t => {
  const question = {
    id: 'n0',
    type: 'question',
    text: '¿?',
    expects: 'pattern',
    pattern: '(.{0,100}){9}"0!',
    variable: 'x',
    attempts: 3,
    timeoutMs: 0,
  }
  const index = inARow([question])
  let advance = { steps: [] as readonly { why: string | null }[] }
  const input = { kind: 'message', text: cjk, isText: true, tapped: null } as const
  const cpu = cpuOf(() => {
    for (let i = 0; i < 20; i += 1)
      advance = advanceSession(index, { nodeId: 'n0', variables: {}, tries: 0 }, input, world())
  })
  t.ok(cpu < 12 * usual, `${cpu} ms for 20 answers, usual ${usual} ms`)
  t.equal(advance.steps[0]?.why, 'tooMuchWork')
})

t.test('a draft in which everything is wrong is checked in bounded time', async t => {
  const text = Array.from({ length: 250 }, (_, i) => `{{flujo.x${i}}}`).join(' ')
  const nodes = Array.from({ length: 500 }, (_, i) => ({
    id: `n${i}`,
    type: 'question',
    text,
    retryText: text,
    expects: 'pattern',
    pattern: `(.{0,100}){9}${i}`,
    variable: '',
    attempts: 3,
    timeoutMs: 0,
  }))
  const graph = { nodes: nodes.map(node => ({ x: 0, y: 0, ...node })) as FlowNode[], edges: [] }
  const facts = {
    tagIds: [],
    teamIds: [],
    memberIds: [],
    templates: [],
    secrets: [],
    sendIds: [],
    flowId: 'f',
    flows: [],
    hasOtherDefault: false,
  }
  let count = 0
  const cpu = cpuOf(() => {
    count = problemsOf({ graph, triggers: [] } as unknown as Parameters<typeof problemsOf>[0], facts).length
  })
  t.ok(cpu < 9 * usual, `${cpu} ms, usual ${usual} ms`)
  t.ok(count > 0 && count <= 2000, `${count} problems`)
})

t.test('conditions with the most patterns stop at the budget of a flow step', async t => {
  const conditions = Array.from({ length: 5 }, (_, i) => ({
    ...{ id: `n${i}`, type: 'condition', all: false },
    rules: Array.from({ length: 10 }, (_, k) => ({
      ...{ left: 'variable', name: 'flujo.a', op: 'fitsPattern', value: `(a|b)*a(a|b){60}[cd]${i}${k}` },
    })),
  }))
  const graph = indexGraph({
    nodes: [{ id: 's', type: 'start' }, ...conditions].map(node => ({ x: 0, y: 0, ...node })) as FlowNode[],
    edges: conditions.map((_, i) => ({
      ...{ id: `e${i}`, from: i ? `n${i - 1}` : 's', output: i ? 'no' : 'next', to: `n${i}` },
    })),
  } as Parameters<typeof indexGraph>[0])
  const place = { nodeId: '', variables: { a: 'aab'.repeat(1300) }, tries: 0 }
  let whys: (string | null)[] = []
  const cpu = cpuOf(() => {
    whys = advanceSession(graph, place, { kind: 'begin' }, world()).steps.map(({ why }) => why)
  })
  t.ok(cpu < 24 * usual, `${cpu} ms, usual ${usual} ms`)
  t.same(whys.slice(1), Array(5).fill('tooMuchWork'), 'and each step reports it')
})
