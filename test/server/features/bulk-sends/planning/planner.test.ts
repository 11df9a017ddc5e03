import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { type Candidate, createPlanner } from '#server/features/bulk-sends/planning/planner.ts'
import { type FrozenTemplate, templateFreezing } from '#server/messaging/templates/freezing.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import { phoneKey } from '#shared/kernel/phone.ts'

const template: FrozenTemplate = {
  id: '1',
  name: 'aviso',
  language: 'es_AR',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  components: [{ type: 'BODY', text: 'Hola {{1}}, tu pedido es {{2}}.' }],
}
const values: PlanInput['values'] = {
  body: { '1': { from: 'firstName', fallback: 'vos' }, '2': { from: 'column', text: 'pedido' } },
}
const planner = (given = values) =>
  createPlanner({ template, values: given, ownPhones: ['5491100000000'], fill: templateFreezing.fill, now: 0 })
const candidate = (facts: Partial<Candidate>): Candidate => ({
  given: facts.phone ?? 'x',
  phone: '5491155551234',
  name: null,
  isPermitted: true,
  isOptedOut: false,
  row: { pedido: '4711' },
  ...facts,
})
const verdict = (facts: Partial<Candidate>, plan = planner()) => {
  const planned = plan(candidate(facts))
  return 'omitted' in planned ? planned.omitted : planned.filled.text
}

t.test('each recipient gets their own values, or the fallback', async t => {
  t.equal(verdict({ name: 'Ana María Paz' }), 'Hola Ana, tu pedido es 4711.')
  t.equal(verdict({}), 'Hola vos, tu pedido es 4711.')
})

t.test('a recipient who gets nothing is omitted with the reason', async t => {
  t.equal(verdict({ phone: null }), 'invalidNumber')
  t.equal(verdict({ phone: null, hidesNumber: true }), 'usernameOnly')
  t.equal(verdict({ phone: '541100000000' }), 'ownNumber')
  t.equal(verdict({ isPermitted: false }), 'noPermission')
  t.equal(verdict({ row: {} }), 'valueMissing')
  t.equal(verdict({ row: { pedido: 'a\nb' } }), 'valueNotOneLine')
  t.equal(verdict({ row: { pedido: 'x'.repeat(1100) } }), 'valueTooLong')
})

t.test('a column named like an Object property is used only if the file has it', async t => {
  for (const column of ['__proto__', 'constructor', 'toString']) {
    const plan = () => planner({ body: { '1': { from: 'firstName' }, '2': { from: 'column', text: column } } })
    t.equal(verdict({ name: 'Ana' }, plan()), 'valueMissing', column)
    const row = Object.fromEntries([[column, '4711']])
    t.equal(verdict({ name: 'Ana', row }, plan()), 'Hola Ana, tu pedido es 4711.', column)
  }
})

t.test('nobody gets it twice, however their number is spelled', async t => {
  const plan = planner()
  t.equal(verdict({ phone: '5491155551234' }, plan), 'Hola vos, tu pedido es 4711.')
  t.equal(verdict({ phone: '541155551234' }, plan), 'duplicate')
  t.equal(verdict({ phone: '5491155551235' }, plan), 'Hola vos, tu pedido es 4711.')
})

t.test('for any input each person is planned at most once and every row has one verdict', async t => {
  const phone = fc.oneof(
    fc.constant(null),
    fc.integer({ min: 0, max: 30 }).map(n => `54911555500${String(n).padStart(2, '0')}`),
    fc.integer({ min: 0, max: 30 }).map(n => `5411555500${String(n).padStart(2, '0')}`),
  )
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(fc.record({ phone, isPermitted: fc.boolean(), name: fc.string() })), many => {
        const plan = planner()
        const planned = many.map(facts => plan(candidate(facts)))
        const keys = planned.flatMap(one => ('omitted' in one ? [] : [phoneKey(one.candidate.phone ?? '')]))
        assert.equal(new Set(keys).size, keys.length)
        for (const [i, one] of planned.entries()) {
          const { phone, isPermitted } = many[i] as (typeof many)[number]
          if (!('omitted' in one)) assert.match(one.filled.text, /^Hola \S.*, tu pedido es 4711\.$/u)
          else if (phone === null) assert.equal(one.omitted, 'invalidNumber')
          else if (!keys.includes(phoneKey(phone))) assert.notEqual(isPermitted && one.omitted, 'noPermission')
        }
      }),
    ),
  )
})
