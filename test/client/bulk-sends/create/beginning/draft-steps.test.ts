import t from 'tap'
import { Compile } from 'typebox/compile'
import type { Beginning } from '#client/bulk-sends/create/beginning/beginning.ts'
import { beginningFrom, isWorthKeeping, stepsOf } from '#client/bulk-sends/create/beginning/draft-steps.ts'
import { BulkDraftSteps, bulkDraftLimits } from '#shared/bulk-sends/drafts.ts'

const nobody = { tagIds: [], match: 'any', numbers: '', unanswered: undefined, segment: undefined, again: undefined }
const check = {
  columns: ['telefono'],
  hasHeader: true,
  phoneColumn: 'telefono',
  phoneColumns: ['telefono'],
  rows: 1,
  first: [],
  faulty: 0,
  faults: [],
}
const template = { id: 't1', name: 'pedido_listo', language: 'es_AR', components: [] } as never
const care = { hasCanary: false, people: '50', waitMinutes: '30', hasHours: false, from: '9', to: '20' }
const begun = {
  template,
  typed: { ...nobody, file: undefined },
  sources: {},
  cap: { isOn: true, sends: '1', days: '1' },
  care: { ...care, failedPercent: '20', optedOutPercent: '' },
} as never as Beginning
const isDraft = (steps: BulkDraftSteps) => Compile(BulkDraftSteps).Check(JSON.parse(JSON.stringify(steps)))

t.test('a draft is restored without its file and the values of its columns', async t => {
  const steps = stepsOf({
    ...begun,
    typed: { ...begun.typed, numbers: '11 5555-0101', file: { name: 'gente.csv', text: 'telefono\n1', check } },
    sources: {
      'body.bodyExample.1': { from: 'column', text: 'nombre' },
      'body.bodyExample.2': { from: 'fixed', text: 'hoy' },
    },
  })
  t.ok(isDraft(steps))
  t.match(steps, { template: { id: 't1', name: 'pedido_listo' }, hadFile: true, hadMoreNumbers: false })
  const from = beginningFrom(steps, template, begun)
  t.match(from.typed, { numbers: '11 5555-0101', file: undefined })
  t.same(Object.keys(from.sources), ['body.bodyExample.2'])
  t.same(from.care, begun.care)
  t.same(beginningFrom(steps, undefined, begun).sources, {}, 'of a template that is gone')
})

t.test('a draft is worth keeping once somebody would miss it', async t => {
  const first = stepsOf({ ...begun, template: undefined })
  t.notOk(isWorthKeeping(first, stepsOf({ ...begun, template: undefined, typed: { ...begun.typed } })), 'nothing done')
  t.notOk(isWorthKeeping(first, stepsOf(begun)), 'a template is chosen again with one click')
  t.ok(isWorthKeeping(first, stepsOf({ ...begun, name: 'Navidad' })))
  t.ok(isWorthKeeping(first, stepsOf({ ...begun, typed: { ...begun.typed, numbers: '11 5555-0101' } })))
  t.ok(isWorthKeeping(first, stepsOf({ ...begun, typed: { ...begun.typed, tagIds: ['a'] } })))
  t.ok(isWorthKeeping(first, stepsOf({ ...begun, cap: { ...begun.cap, isOn: false } })))
})

t.test('a draft that the server would refuse is never sent', async t => {
  const long = '1'.repeat(bulkDraftLimits.numbersChars + 1)
  const steps = stepsOf({
    ...begun,
    template: undefined,
    typed: { ...begun.typed, numbers: long },
    sources: { a: { from: 'fixed', text: 'x'.repeat(1025) }, b: { from: 'fixed', text: 'hoy' } },
    cap: { isOn: true, sends: '1'.repeat(50), days: '' },
  })
  t.ok(isDraft(steps))
  t.match(steps, { hadMoreNumbers: true, audience: { numbers: '' }, sources: { b: { text: 'hoy' } } })
  t.notOk('a' in steps.sources)
})
