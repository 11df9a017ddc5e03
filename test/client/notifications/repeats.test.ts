import t from 'tap'
import { createRepeats } from '#client/notifications/repeats.ts'

const aStage = () => {
  let now = 0
  return {
    ...createRepeats(() => now),
    pass: (ms: number) => {
      now += ms
    },
  }
}
const one = { id: 'notify-1', title: 'Nuevo mensaje de WhatsApp', body: 'Lucía espera una respuesta' }

t.test('the same id is announced once in thirty seconds, whatever its text', async t => {
  const { rememberIfNew, pass } = aStage()
  t.ok(rememberIfNew(one))
  pass(29_999)
  t.notOk(rememberIfNew({ ...one, body: 'something else' }))
  pass(1)
  t.ok(rememberIfNew(one))
})

t.test('the same title and body are announced once in two seconds, whatever their id', async t => {
  const { rememberIfNew, pass } = aStage()
  t.ok(rememberIfNew(one))
  pass(1999)
  t.notOk(rememberIfNew({ ...one, id: 'notify-2' }))
  pass(1)
  t.ok(rememberIfNew({ ...one, id: 'notify-2' }))
})

t.test('a different text is announced at once, and title and body are compared separately', async t => {
  const { rememberIfNew } = aStage()
  t.ok(rememberIfNew({ id: '1', title: 'a', body: 'bc' }))
  t.ok(rememberIfNew({ id: '2', title: 'ab', body: 'c' }))
})
