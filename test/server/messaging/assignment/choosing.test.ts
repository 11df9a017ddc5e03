import fc from 'fast-check'
import t from 'tap'
import { type Candidate, choose, type RuleState } from '#server/messaging/assignment/choosing.ts'

const people = (loads: readonly number[], teamIds: readonly (readonly string[])[] = []): Candidate[] =>
  loads.map((load, i) => ({ userId: `u${i}`, name: `P${i}`, load, teamIds: new Set(teamIds[i] ?? []) }))
const rule = (more: Partial<RuleState['rule']> = {}): RuleState => ({
  rule: { way: 'turn', most: null, toLast: false, ...more },
  lastUserId: null,
})
const anybody = { teamId: null, lastWriter: undefined, sees: () => true }
const names = (
  candidates: Candidate[],
  turn: RuleState,
  times: number,
  asked: Parameters<typeof choose>[2] = anybody,
) => Array.from({ length: times }, () => choose(candidates, turn, asked)?.userId)

t.test('members are chosen in rotation, starting after the last one', async t => {
  const turn = rule()
  t.same(names(people([9, 0, 0]), turn, 4), ['u0', 'u1', 'u2', 'u0'])
  t.equal(turn.lastUserId, 'u0')
  turn.lastUserId = 'u1a'
  t.same(names(people([0, 0, 0]), turn, 1), ['u2'], 'who has left keeps their place')
})

t.test('the least busy member is chosen, in rotation among equals', async t => {
  t.same(names(people([2, 0, 1]), rule({ way: 'leastBusy' }), 5), ['u1', 'u2', 'u1', 'u2', 'u0'])
})

t.test('never chooses past the limit, outside the team, or a member who may not see the conversation', async t => {
  t.same(names(people([1, 2]), rule({ most: 2 }), 3), ['u0', undefined, undefined])
  const teams = people([0, 0, 0], [['a'], ['b'], ['a', 'b']])
  t.same(names(teams, rule(), 3, { ...anybody, teamId: 'b' }), ['u1', 'u2', 'u1'])
  t.same(names(people([0, 0]), rule(), 2, { ...anybody, sees: id => id === 'u1' }), ['u1', 'u1'])
  t.same(names(people([0]), rule({ way: 'off' }), 1), [undefined])
  t.same(names([], rule({ way: 'leastBusy' }), 1), [undefined])
})

t.test('the member who answered last comes first if possible, and the rotation stays where it was', async t => {
  const turn = rule({ toLast: true, most: 3 })
  const some = people([0, 0, 2])
  t.same(names(some, turn, 1), ['u0'])
  t.same(names(some, turn, 2, { ...anybody, lastWriter: 'u2' }), ['u2', 'u1'], 'full, it is the next one’s')
  t.same(names(some, turn, 1, { ...anybody, lastWriter: 'gone' }), ['u0'])
})

t.test('with leastBusy no two members ever differ by more than one conversation', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 60 }), (count, times) => {
      const some = people(Array<number>(count).fill(0))
      names(some, rule({ way: 'leastBusy' }), times)
      const loads = some.map(({ load }) => load)
      return Math.max(...loads) - Math.min(...loads) <= 1 && loads.reduce((a, b) => a + b, 0) === times
    }),
  )
})
