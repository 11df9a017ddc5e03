import t, { type Test } from 'tap'
import { createBudgets } from '#server/identity/auth/sign-in/budget.ts'
import { testSecret } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'

const minuteMs = 60_000

const some = async (t: Test) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const clock = handClock()
  return { databases, clock, budgets: createBudgets({ databases, clock, secret: testSecret }) }
}

t.test('no hour holds more than ten guesses, also around the edge of a window', async t => {
  const { budgets, clock } = await some(t)
  const guess = budgets.guess('ana@example.com', '192.0.2.7')
  const granted: number[] = []
  for (let minute = 0; minute < 600; minute += 1) {
    if (!(await budgets.take([guess]))) granted.push(minute)
    clock.advance(minuteMs)
  }
  t.ok(granted.length > 50, 'it is granted again and again')
  for (const start of granted) t.ok(granted.filter(minute => minute >= start && minute < start + 60).length <= 10)
})

t.test('a refusal says how long to wait, and waiting that long is enough', async t => {
  const { budgets, clock } = await some(t)
  const send = budgets.send('ana@example.com', '192.0.2.7')
  for (let i = 0; i < 5; i += 1) t.notOk(await budgets.take([send]))
  clock.advance(10 * minuteMs)
  const refused = await budgets.take([send])
  t.equal(refused?.retryAfterSeconds, 50 * 60)
  t.equal(refused?.exhausted.key, send.key)
  clock.advance(50 * minuteMs)
  t.notOk(await budgets.take([send]))
})

t.test('a refusal uses up no other budget', async t => {
  const { budgets, databases } = await some(t)
  const [network, send] = [budgets.network('192.0.2.1'), budgets.send('ana@example.com', '192.0.2.7')]
  for (let i = 0; i < 8; i += 1) await budgets.take([network, send])
  const row = await databases.read
    .selectFrom('sign_in_budget')
    .select('used')
    .where('key', '=', network.key)
    .executeTakeFirstOrThrow()
  t.equal(row.used, 5)
})

t.test('returned uses can be used again, and never exceed the limit', async t => {
  const { budgets, databases } = await some(t)
  const guess = budgets.guess('ana@example.com', '192.0.2.7')
  for (let i = 0; i < 10; i += 1) await budgets.take([guess])
  await budgets.giveBack([guess])
  t.notOk(await budgets.take([guess]))
  t.ok(await budgets.take([guess]))
  for (let i = 0; i < 20; i += 1) await budgets.giveBack([guess])
  const { used } = await databases.read.selectFrom('sign_in_budget').select('used').executeTakeFirstOrThrow()
  t.equal(used, 0)
})

t.test('an address has one budget, an IPv6 network has one, and keys do not reveal the address', async t => {
  const { budgets } = await some(t)
  t.equal(budgets.guess('a@x.com', '192.0.2.7').key, budgets.guess('a@x.com', '192.0.2.7').key)
  t.not(budgets.guess('a@x.com', '192.0.2.7').key, budgets.guess('b@x.com', '192.0.2.7').key)
  t.notMatch(budgets.send('ana@example.com', '192.0.2.7').key, 'ana')
  t.equal(budgets.network('2001:db8:1:2:3::4').key, budgets.network('2001:0db8:1:2:ffff::1').key)
  t.not(budgets.network('2001:db8:1:2::1').key, budgets.network('2001:db8:1:3::1').key)
  t.equal(budgets.network('::ffff:192.0.2.1').key, budgets.network('192.0.2.1').key)
})

t.test('expired windows leave no rows', async t => {
  const { budgets, clock, databases } = await some(t)
  for (let i = 0; i < 20; i += 1) await budgets.take([budgets.network(`192.0.2.${i}`)])
  clock.advance(2 * minuteMs)
  await budgets.take([budgets.network('192.0.2.200')])
  t.equal((await databases.read.selectFrom('sign_in_budget').select('key').execute()).length, 1)
})

t.test('windows started by a clock that was a day ahead are ignored once it is right', async t => {
  const { budgets, clock } = await some(t)
  const guess = budgets.guess('ana@example.com', '192.0.2.7')
  const network = budgets.network('192.0.2.1')
  const right = clock.now().toISOString()
  clock.advance(24 * 60 * minuteMs)
  for (let i = 0; i < 10; i += 1) t.notOk(await budgets.take([guess]))
  for (let i = 0; i < 60; i += 1) t.notOk(await budgets.take([network]))
  t.ok(await budgets.take([guess]))
  clock.set(right)
  for (let i = 0; i < 10; i += 1) t.notOk(await budgets.take([guess, network]), 'they are counted from none')
  t.equal((await budgets.take([guess]))?.retryAfterSeconds, 60 * 60, 'and new windows end at their own time')
  clock.advance(60 * minuteMs)
  t.notOk(await budgets.take([guess, network]))
})

t.test('setting the clock back a few seconds does not reset a count', async t => {
  const { budgets, clock } = await some(t)
  const guess = budgets.guess('ana@example.com', '192.0.2.7')
  for (let i = 0; i < 10; i += 1) t.notOk(await budgets.take([guess]))
  clock.advance(-5000)
  t.ok(await budgets.take([guess]))
})
