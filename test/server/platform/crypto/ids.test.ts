import t from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'

t.test('ids sort by time of creation, within one millisecond too, and are unique', async t => {
  const ids = Array.from({ length: 20_000 }, () => newId(1_700_000_000_000))
  t.same([...ids].sort(), ids)
  t.equal(new Set(ids).size, ids.length)
  t.ok(newId(1_700_000_000_001) > (ids.at(-1) as string))
  t.ok(newId(1_699_999_999_999) < (ids[0] as string))
  t.ok(ids.every(id => /^[0-9a-z]{24}$/.test(id)))
})
