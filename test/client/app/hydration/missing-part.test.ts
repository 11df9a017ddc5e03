import t from 'tap'
import { loadPart, MissingPart, type ReloadParts, reloadOnce } from '#client/app/hydration/missing-part.ts'

const tab = () => {
  const kept = new Map<string, string>()
  let reloads = 0
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const fail = (facts: Partial<ReloadParts> = {}) =>
    reloadOnce({
      storage,
      build: 'a.js',
      address: '/org/pan/stats',
      isServerThere: async () => true,
      reload: () => {
        reloads += 1
      },
      ...facts,
    })
  return { fail, reloads: () => reloads }
}

t.test('a missing chunk reloads the page once only', async t => {
  const { fail, reloads } = tab()
  t.ok(await fail())
  for (let i = 0; i < 5; i += 1) t.notOk(await fail())
  t.equal(reloads(), 1)
})

t.test('another page and another version may each reload once', async t => {
  const { fail, reloads } = tab()
  for (let i = 0; i < 3; i += 1) {
    await fail()
    await fail({ address: '/org/pan/c' })
    await fail({ build: 'b.js' })
  }
  t.equal(reloads(), 3, 'also when two versions answer in turns')
})

t.test('offline nothing is reloaded, and back online it may be', async t => {
  const { fail, reloads } = tab()
  t.notOk(await fail({ isServerThere: async () => false }))
  t.equal(reloads(), 0)
  t.ok(await fail())
})

t.test('without storage nothing is reloaded', async t => {
  const { fail, reloads } = tab()
  const setItem = () => {
    throw new Error('QuotaExceededError')
  }
  t.notOk(await fail({ storage: { getItem: () => null, setItem } }))
  t.equal(reloads(), 0)
})

t.test('only a failed import counts as a missing chunk', async t => {
  for (const text of [
    'Failed to fetch dynamically imported module: http://x/assets/page-a.js',
    'error loading dynamically imported module: http://x/assets/page-a.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/page-a.css',
  ])
    await t.rejects(
      loadPart(() => Promise.reject(new TypeError(text))),
      MissingPart,
      text,
    )
  const fault = new TypeError('x is not a function')
  await t.rejects(
    loadPart(() => Promise.reject(fault)),
    fault,
  )
  t.equal(await loadPart(async () => 7), 7)
})
