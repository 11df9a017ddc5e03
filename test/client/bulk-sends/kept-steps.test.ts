import t from 'tap'
import type { Beginning } from '#client/bulk-sends/beginning.ts'
import { beginningFrom, forgetSteps, keepSteps, readKeptSteps, stepsOf } from '#client/bulk-sends/kept-steps.ts'

const nobody = { tagIds: [], match: 'any', numbers: '', unanswered: undefined, segment: undefined, again: undefined }
const blank = {
  template: undefined,
  typed: { ...nobody, file: undefined },
  sources: {},
  cap: {},
  care: {},
} as never as Beginning

const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
}
const before = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage')
t.teardown(() => {
  if (before) Object.defineProperty(globalThis, 'sessionStorage', before)
  else Reflect.deleteProperty(globalThis, 'sessionStorage')
})
t.beforeEach(() => {
  kept.clear()
  Object.defineProperty(globalThis, 'sessionStorage', { value: storage, configurable: true })
})

const check = { columns: ['telefono'], phoneColumn: 'telefono', rows: 1, first: [], faulty: 0, faults: [] }
const template = { id: 't1', components: [] } as never
const steps = stepsOf({
  ...blank,
  template,
  typed: {
    ...blank.typed,
    tagIds: ['a'],
    numbers: '11 5555-0101',
    file: { name: 'gente.csv', text: 'telefono\n1', check },
  },
  sources: {
    'body.bodyExample.1': { from: 'column', text: 'nombre' },
    'body.bodyExample.2': { from: 'fixed', text: 'hoy' },
  },
})

t.test(
  'what was put together comes back, of this organization, without the file and what came of its columns',
  async t => {
    keepSteps('una', steps)
    t.equal(readKeptSteps('otra'), undefined)
    const found = readKeptSteps('una')
    t.match(found, { templateId: 't1', hadFile: true })
    const from = beginningFrom(found as NonNullable<typeof found>, template, blank)
    t.match(from.typed, { tagIds: ['a'], numbers: '11 5555-0101', file: undefined })
    t.same(Object.keys(from.sources), ['body.bodyExample.2'])
    t.same(
      beginningFrom(found as NonNullable<typeof found>, undefined, blank).sources,
      {},
      'of a template that is gone',
    )
    forgetSteps('una')
    t.equal(readKeptSteps('una'), undefined)
  },
)

t.test('what somebody else wrote there is nobody’s steps', async t => {
  keepSteps('una', steps)
  const key = [...kept.keys()][0] as string
  for (const odd of ['', 'x', 'null', '[]', '{"version":1}', '{"version":1,"steps":{"typed":{}}}', '{"version":0}']) {
    kept.set(key, odd)
    t.equal(readKeptSteps('una'), undefined, odd)
  }
})

t.test('a browser without storage has none, and nothing breaks', async t => {
  Object.defineProperty(globalThis, 'sessionStorage', {
    get: () => {
      throw new Error('denied')
    },
    configurable: true,
  })
  keepSteps('una', steps)
  forgetSteps('una')
  t.equal(readKeptSteps('una'), undefined)
})
