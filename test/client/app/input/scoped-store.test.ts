import t, { type Test } from 'tap'
import { createScopedStore } from '#client/app/input/scoped-store.ts'
import { isSameBeside, readDraft, writeDraft } from '#client/inbox/composer/drafts/drafts.ts'

/** A browser storage that the test can fill up or block. */
const aStorage = (t: Test) => {
  const items = new Map<string, string>()
  const state = { isFull: false, isForbidden: false }
  const guarded = <T>(isRefused: boolean, work: () => T): T => {
    if (isRefused || state.isForbidden) throw new Error('SecurityError')
    return work()
  }
  const storage = {
    get length() {
      return guarded(false, () => items.size)
    },
    key: (i: number) => guarded(false, () => [...items.keys()][i] ?? null),
    getItem: (key: string) => guarded(false, () => items.get(key) ?? null),
    setItem: (key: string, value: string) => guarded(state.isFull, () => void items.set(key, value)),
    removeItem: (key: string) => guarded(false, () => void items.delete(key)),
  }
  t.intercept(globalThis, 'localStorage' as never, { value: storage as never, configurable: true })
  return { items, state }
}

t.test('a draft is stored until it is empty', async t => {
  const { items } = aStorage(t)
  writeDraft('don-luis:ana', '549111', 'Ya te')
  writeDraft('don-luis:ana', '549222', 'Hola')
  t.same(Object.fromEntries(items), {
    'recado:draft:don-luis:ana:549111': 'Ya te',
    'recado:draft:don-luis:ana:549222': 'Hola',
  })
  t.equal(readDraft('don-luis:ana', '549111'), 'Ya te')
  writeDraft('don-luis:ana', '549111', '  ')
  t.same([...items.keys()], ['recado:draft:don-luis:ana:549222'])
  t.equal(readDraft('don-luis:ana', '549111'), '')
})

t.test('drafts are read for the exact organization name, not for a longer one with the same beginning', async t => {
  const { items } = aStorage(t)
  items.set('recado:draft:norte:ana:1', 'de Norte')
  items.set('recado:draft:norte-2:ana:1', 'de Norte 2')
  t.equal(readDraft('norte:ana', '1'), 'de Norte')
  t.equal(readDraft('norte-2:ana', '1'), 'de Norte 2')
})

t.test('with full or blocked storage a value lasts as long as the page', async t => {
  const { state, items } = aStorage(t)
  state.isFull = true
  writeDraft('lleno:ana', '1', 'Sigue acá')
  t.equal(readDraft('lleno:ana', '1'), 'Sigue acá')
  t.equal(items.size, 0)
  state.isForbidden = true
  t.equal(readDraft('prohibido:ana', '1'), '')
  writeDraft('prohibido:ana', '1', 'También')
  t.equal(readDraft('prohibido:ana', '1'), 'También')
})

t.test('each scope has its own value, and a forgotten one is read again', async t => {
  const stored = new Map([['a', [1]]])
  const store = createScopedStore<number[]>([], {
    prefix: 'x:',
    scopeOf: rest => rest,
    load: scope => stored.get(scope) ?? [],
    save: (scope, value) => void stored.set(scope, value),
  })
  t.same([store.read('a'), store.read('b')], [[1], []])
  store.write('b', [5])
  t.same([store.read('a'), store.read('b'), stored.get('b')], [[1], [5], [5]])
  stored.set('b', [7])
  t.same(store.read('b'), [5])
  store.forget('b')
  t.same(store.read('b'), [7])
})

t.test('a value that the storage refused is still kept in memory', async t => {
  const { state } = aStorage(t)
  const store = createScopedStore<string[]>([], {
    prefix: 'x:',
    scopeOf: rest => rest,
    load: scope => JSON.parse(localStorage.getItem(scope) ?? '[]'),
    save: (scope, value) => localStorage.setItem(scope, JSON.stringify(value)),
  })
  state.isFull = true
  store.write('a', ['on its way'])
  store.forget('a')
  t.same(store.read('a'), ['on its way'])
  state.isFull = false
  store.write('a', ['on its way', 'and the next'])
  localStorage.setItem('a', '["of another tab"]')
  store.forget('a')
  t.same(store.read('a'), ['of another tab'])
})

t.test('an empty storage and no storage return the same empty value, so nothing renders again', async t => {
  aStorage(t)
  const nothing: string[] = []
  const store = createScopedStore(nothing, {
    prefix: 'x:',
    scopeOf: rest => rest,
    load: () => [],
    save: () => undefined,
  })
  t.equal(store.read('a'), nothing)
})

t.test('typing in the open conversation does not change the list of other drafts', async t => {
  const before = { '549111': 'Ya', '549222': 'Hola' }
  t.ok(isSameBeside(before, { ...before, '549111': 'Ya te' }, '549111'))
  t.ok(isSameBeside(before, { '549222': 'Hola' }, '549111'), 'sent')
  t.notOk(isSameBeside(before, { ...before, '549222': 'Hola, ¿' }, '549111'), 'written in another tab')
  t.notOk(isSameBeside(before, { '549111': 'Ya' }, '549111'), 'gone')
  t.notOk(isSameBeside({}, { '549333': 'Buenas' }, undefined), 'come')
})

t.test('a listener is called after each change until it is removed', async t => {
  t.intercept(globalThis, 'window' as never, { value: new EventTarget() as never, configurable: true })
  const store = createScopedStore<{ text?: string }>({})
  const heard: (string | undefined)[] = []
  const leave = store.listen(() => heard.push(store.read('ana').text))
  store.write('ana', { text: 'Ya te' })
  store.write('ana', { text: 'Ya te llamo' })
  leave()
  store.write('ana', {})
  t.same(heard, ['Ya te', 'Ya te llamo'])
})
