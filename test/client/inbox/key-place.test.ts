import t from 'tap'
import { mayAct } from '#client/inbox/key-place.ts'

t.test('a letter key acts in the list or thread, one second after the last typing', async t => {
  t.equal(mayAct({ isKeyed: true, sinceTypedMs: Number.POSITIVE_INFINITY }), true)
  t.equal(mayAct({ isKeyed: true, sinceTypedMs: 1000 }), true)
  t.equal(mayAct({ isKeyed: true, sinceTypedMs: 999 }), false)
  t.equal(mayAct({ isKeyed: false, sinceTypedMs: Number.POSITIVE_INFINITY }), false)
})
