import t from 'tap'
import type { BaseParts } from '#server/platform/wiring/base.ts'
import { buildFeatures } from '#server/platform/wiring/build.ts'
import { defineFeature, type Feature, type Parts } from '#server/platform/wiring/feature.ts'

/** The loop does not look into parts, so placeholders are enough. */
const part = <N extends keyof Parts>(name: N) => ({ [name]: { is: name } }) as unknown as Pick<Parts, N>
const base = { clock: 'the clock' } as unknown as BaseParts
const build = (...features: Feature[]) => buildFeatures(features, base)

const tags = defineFeature({ name: 'tags', create: () => ({ provides: part('tags') }) })

t.test('a feature gets the parts of the platform, those it needs, and no others', async t => {
  const given: object[] = []
  const outbox = defineFeature({ name: 'outbox', create: () => ({ provides: part('outbox') }) })
  const taker = defineFeature({
    name: 'taker',
    needs: ['tags'],
    create(parts) {
      given.push(parts)
      return { chores: [{ name: 'a chore', run: async () => 0 }] }
    },
  })
  const { parts, contributions } = build(tags, outbox, taker)
  t.same(given, [{ clock: 'the clock', tags: { is: 'tags' } }])
  t.same(Object.keys(parts).sort(), ['clock', 'outbox', 'tags'])
  t.same(
    contributions.map(({ chores = [] }) => chores.map(({ name }) => name)),
    [[], [], ['a chore']],
  )
})

t.test('a part that is needed before it is built is refused', async t => {
  const early = defineFeature({ name: 'early', needs: ['tags'], create: () => ({}) })
  t.throws(() => build(early, tags), /"early" needs "tags", which no feature before it provides/)
})

t.test('two providers of one part are refused, the platform included', async t => {
  const again = defineFeature({ name: 'again', create: () => ({ provides: part('tags') }) })
  t.throws(() => build(tags, again), /Both tags and again provide "tags"/)
  const clock = defineFeature({ name: 'watchmaker', create: () => ({ provides: part('clock') }) })
  t.throws(() => build(clock), /Both the platform and watchmaker provide "clock"/)
})

t.test('a later part is read when it is used, not before', async t => {
  const reading = defineFeature({
    name: 'reading',
    later: ['tags'],
    create: (_parts, later) => ({ start: () => void t.same(later.tags, { is: 'tags' }) }),
  })
  const { contributions } = build(reading, tags)
  contributions[0]?.start?.()
  t.throws(() => build(reading), /"reading" reads "tags" later, which no feature provides/)
  const hasty = defineFeature({
    name: 'hasty',
    later: ['tags'],
    create(_parts, later) {
      later.tags
      return {}
    },
  })
  t.throws(() => build(hasty, tags), /"hasty" reads "tags" before it is built/)
})

t.test('parts made of all contributions are available as later parts', async t => {
  const reading = defineFeature({
    name: 'reading',
    later: ['webhookTakers'],
    create: (_parts, later) => ({ start: () => void t.same(later.webhookTakers, 3) }),
  })
  const all = [reading, tags, defineFeature({ name: 'last', create: () => ({}) })]
  const { contributions } = buildFeatures(all, base, found => ({ webhookTakers: found.length as never }))
  contributions[0]?.start?.()
})

t.test('a part that no feature declares does not compile, and is refused', async t => {
  // @ts-expect-error: no feature declares this part
  const odd = defineFeature({ name: 'odd', needs: ['nobody'], create: () => ({}) })
  t.throws(() => build(odd), /"odd" needs "nobody"/)
})

t.test('a part that a feature does not name does not compile, and is not passed', async t => {
  const given: unknown[] = []
  const greedy = defineFeature({
    name: 'greedy',
    create(parts) {
      // @ts-expect-error: it does not say that it needs the tags
      given.push(parts.tags)
      return {}
    },
  })
  build(tags, greedy)
  t.same(given, [undefined])
})
