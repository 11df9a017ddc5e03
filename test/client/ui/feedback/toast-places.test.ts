import t from 'tap'
import { createToastPlaces } from '#client/ui/feedback/toast-places.ts'

interface One {
  key?: string
  durationMs?: number
}

const aPlace = () => {
  const seen = new Map<number, One>()
  const places = createToastPlaces<One>(3, {
    show: (id, toast) => void seen.set(id, toast),
    hide: id => void seen.delete(id),
  })
  const keys = () => [...seen.values()].map(({ key }) => key)
  const close = (key: string) => {
    for (const [id, toast] of seen)
      if (toast.key === key) {
        seen.delete(id)
        places.closed(id)
      }
  }
  return { places, keys, close }
}
const call = (key: string): One => ({ key, durationMs: 120_000 })

t.test('the fourth toast waits for a free place, and none is dropped', async t => {
  const { places, keys, close } = aPlace()
  for (const key of ['a', 'b', 'c', 'd', 'e', 'd']) places.add(call(key))
  t.same(keys(), ['a', 'b', 'c'])
  close('b')
  t.same(keys(), ['a', 'c', 'd'])
  close('a')
  close('c')
  t.same(keys(), ['d', 'e'])
})

t.test('a toast handled elsewhere disappears, visible or waiting', async t => {
  const { places, keys } = aPlace()
  for (const key of ['a', 'b', 'c', 'd', 'e']) places.add(call(key))
  places.dismiss('d')
  places.dismiss('a')
  t.same(keys(), ['b', 'c', 'e'])
})

t.test('feedback on an action is shown at once, and the toast it covers returns', async t => {
  const { places, keys, close } = aPlace()
  for (const key of ['a', 'b', 'c', 'd']) places.add(call(key))
  places.add({ key: 'sent', durationMs: 5000 })
  t.same(keys(), ['a', 'b', 'sent'])
  places.add({ key: 'failed', durationMs: 5000 })
  t.same(keys(), ['a', 'b', 'failed'], 'in place of what was said before')
  close('failed')
  t.same(keys(), ['a', 'b', 'c'])
  close('a')
  t.same(keys(), ['b', 'c', 'd'])
})
