import t from 'tap'
import { answerDueIn } from '#shared/inbox/answer-due.ts'
import { inOneLine } from '#shared/kernel/time.ts'
import { waitText } from '#shared/stats/duration.ts'

const minuteMs = 60_000
const since = Date.parse('2026-11-30T17:13:38.000Z')
const dueAt = new Date(since + 15 * minuteMs).toISOString()
const at = (minutes: number) => Date.parse('2026-11-30T17:13:00.000Z') + minutes * minuteMs

t.test('the time left and the time waited add up to the promised time', async t => {
  t.equal(waitText(at(10) - since), inOneLine('9 min'))
  t.same(answerDueIn(dueAt, at(10)), { isLate: false, time: inOneLine('6 min') })
  t.same(answerDueIn(dueAt, at(15)), { isLate: false, time: inOneLine('1 min') })
  t.same(answerDueIn(dueAt, since), { isLate: false, time: inOneLine('15 min') })
  const began = new Date(since).toISOString()
  t.same(answerDueIn(dueAt, at(0), began), { isLate: false, time: inOneLine('15 min') }, 'in the minute of the message')
})

t.test('a late response says for how long, until a day has passed', async t => {
  t.same(answerDueIn(dueAt, at(18)), { isLate: true, time: inOneLine('2 min') })
  t.same(answerDueIn(dueAt, at(15 + 150)), { isLate: true, time: inOneLine('2 h') })
  t.equal(answerDueIn(dueAt, at(15 + 25 * 60)), undefined)
})
