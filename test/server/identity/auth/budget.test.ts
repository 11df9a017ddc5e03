import t, { type Test } from 'tap'
import { createBudgets } from '#server/identity/auth/budget.ts'
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
  t.ok(granted.length > 50, 'it opens again and again')
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

t.test('a refusal takes nothing of the other budgets', async t => {
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

t.test('what is given back can be used again, and never more than was there', async t => {
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

t.test('one address has one budget, a whole IPv6 network one, and no key tells the address', async t => {
  const { budgets } = await some(t)
  t.equal(budgets.guess('a@x.com', '192.0.2.7').key, budgets.guess('a@x.com', '192.0.2.7').key)
  t.not(budgets.guess('a@x.com', '192.0.2.7').key, budgets.guess('b@x.com', '192.0.2.7').key)
  t.notMatch(budgets.send('ana@example.com', '192.0.2.7').key, 'ana')
  t.equal(budgets.network('2001:db8:1:2:3::4').key, budgets.network('2001:0db8:1:2:ffff::1').key)
  t.not(budgets.network('2001:db8:1:2::1').key, budgets.network('2001:db8:1:3::1').key)
  t.equal(budgets.network('::ffff:192.0.2.1').key, budgets.network('192.0.2.1').key)
})

t.test('ended windows leave no rows behind', async t => {
  const { budgets, clock, databases } = await some(t)
  for (let i = 0; i < 20; i += 1) await budgets.take([budgets.network(`192.0.2.${i}`)])
  clock.advance(2 * minuteMs)
  await budgets.take([budgets.network('192.0.2.200')])
  t.equal((await databases.read.selectFrom('sign_in_budget').select('key').execute()).length, 1)
})

t.test('what a clock counted that ran a day ahead stops nobody once it is right again', async t => {
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
  t.equal((await budgets.take([guess]))?.retryAfterSeconds, 60 * 60, 'and end in their own time')
  clock.advance(60 * minuteMs)
  t.notOk(await budgets.take([guess, network]))
})

t.test('a clock that is set back a few seconds forgives nobody', async t => {
  const { budgets, clock } = await some(t)
  const guess = budgets.guess('ana@example.com', '192.0.2.7')
  for (let i = 0; i < 10; i += 1) t.notOk(await budgets.take([guess]))
  clock.advance(-5000)
  t.ok(await budgets.take([guess]))
})
