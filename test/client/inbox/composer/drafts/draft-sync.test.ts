import t, { type Test } from 'tap'
import { ApiError } from '#client/app/calls/api-error.ts'
import { readQuotedId, writeQuote } from '#client/inbox/composer/drafts/draft-quote.ts'
import { adoptDraft, createDraftSync, savedDrafts, settleDraft } from '#client/inbox/composer/drafts/draft-sync.ts'
import { noteDraft, readDraft, writeDraft } from '#client/inbox/composer/drafts/drafts.ts'
import type { DraftQuote } from '#shared/inbox/drafts.ts'

t.test('the side that changed since the last sync is the draft', async t => {
  const cases = [
    [{ local: 'Ya', saved: 'Ya', theirs: 'Ya te' }, 'Ya te', 'written on elsewhere'],
    [{ local: 'Ya', saved: 'Ya', theirs: '' }, '', 'sent elsewhere'],
    [{ local: 'Ya te', saved: 'Ya', theirs: 'Ya' }, 'Ya te', 'written on here'],
    [{ local: '', saved: 'Ya', theirs: 'Ya' }, '', 'sent here'],
    [{ local: 'Ya te mando', saved: 'Ya', theirs: 'Ya te' }, 'Ya te mando', 'one says what the other does'],
    [{ local: 'Ya te', saved: 'Ya', theirs: 'Ya te mando' }, 'Ya te mando', 'or the other way'],
    [{ local: 'Hola', saved: '', theirs: 'Chau' }, 'Hola', 'typed before the kept one arrived'],
    [{ local: 'a', saved: '', theirs: 'Mañana va' }, 'a', 'its beginning, too'],
    [{ local: 'M', saved: '', theirs: 'Mañana va' }, 'M', 'also where the kept one begins alike'],
    [{ local: 'Ya te', saved: 'Ya', theirs: 'No' }, 'Ya te', 'written on here and there'],
    [{ local: '', saved: 'Ya', theirs: 'No' }, 'No', 'emptied here, written on there'],
    [{ local: 'Ya te', saved: 'Ya', theirs: '' }, 'Ya te', 'not lost is what was typed while it was sent elsewhere'],
  ] as const
  for (const [places, settled, why] of cases) t.equal(settleDraft(places), settled, why)
})

let scopes = 0
const aSync = (t: Test, answer: (phone: string, text: string) => unknown = () => undefined) => {
  const items = new Map<string, string>()
  const storage = {
    get length() {
      return items.size
    },
    key: (i: number) => [...items.keys()][i] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  t.intercept(globalThis, 'localStorage' as never, { value: storage as never, configurable: true })
  scopes += 1
  const scope = `trigal:ana${scopes}`
  const calls: string[] = []
  const sync = createDraftSync(scope, async (phone, text, quotedId) => {
    calls.push([phone, text, ...(quotedId === undefined ? [] : [quotedId])].join(' '))
    await answer(phone, text)
  })
  t.teardown(() => sync.stop())
  return { scope, sync, calls, type: (text: string, phone = '1') => writeDraft(scope, phone, text) }
}

t.test('typed text is saved once, in its latest form; notes are not saved', async t => {
  const { sync, calls, type, scope } = aSync(t)
  type('Ya')
  type('Ya te')
  type('Para el equipo', noteDraft('1'))
  await sync.flush()
  await sync.flush()
  t.same(calls, ['1 Ya te'])
  t.equal(savedDrafts.read(scope, '1'), 'Ya te')
})

t.test('a sent draft is deleted on the server at once', async t => {
  const { sync, calls, type } = aSync(t)
  type('Ya te')
  await sync.flush()
  type('')
  sync.look()
  await new Promise(resolve => setTimeout(resolve, 20))
  t.same(calls, ['1 Ya te', '1 '])
})

t.test('the server’s drafts are loaded into this browser, and drafts only here are saved there', async t => {
  const { sync, calls, type, scope } = aSync(t)
  type('Acá', '2')
  sync.take({ 1: { text: 'Allá' } })
  t.equal(readDraft(scope, '1'), 'Allá')
  await sync.flush()
  t.same(calls, ['2 Acá'])
  sync.take({})
  t.equal(readDraft(scope, '1'), '', 'sent elsewhere')
  t.equal(readDraft(scope, '2'), '')
})

t.test('calls for one conversation run one after another; a refused draft is not sent again', async t => {
  let underWay = 0
  const { sync, calls, type } = aSync(t, async (_phone, text) => {
    t.equal(underWay, 0)
    underWay += 1
    await new Promise(resolve => setTimeout(resolve, 5))
    underWay -= 1
    if (text === 'no') throw new ApiError({ status: 409, code: 'DRAFTS_TOO_MANY', message: '' })
  })
  type('a')
  const first = sync.flush('1')
  type('b')
  await Promise.all([first, sync.flush('1')])
  t.same(calls, ['1 b'], 'the newest, once')
  type('no')
  await sync.flush()
  await sync.flush()
  t.same(calls, ['1 b', '1 no'])
  type('no, mejor así')
  await sync.flush()
  t.equal(calls.length, 3)
})

const quote = (id: string): DraftQuote => ({ id, wamid: `w${id}`, direction: 'in', type: 'text', text: '¿Abren hoy?' })

t.test('the quote is saved with the text, and alone if only it changed', async t => {
  const { sync, calls, type, scope } = aSync(t)
  writeQuote(scope, '1', quote('m1'))
  await sync.flush()
  t.same(calls, [], 'a quote without a text is kept here alone')
  type('Sí')
  await sync.flush()
  writeQuote(scope, '1', quote('m2'))
  await sync.flush()
  writeQuote(scope, '1', null)
  await sync.flush()
  await sync.flush()
  t.same(calls, ['1 Sí m1', '1 Sí m2', '1 Sí'])
})

t.test('a quote from another device is loaded, unless one was chosen here since', async t => {
  const { sync, calls, scope } = aSync(t)
  sync.take({ 1: { text: 'Sí', replyTo: quote('m1') } })
  t.equal(readQuotedId(scope, '1'), 'm1')
  await sync.flush()
  t.same(calls, [], 'nothing to save')
  sync.take({ 1: { text: 'Sí' } })
  t.equal(readQuotedId(scope, '1'), '', 'its message was deleted')
  writeQuote(scope, '1', quote('m2'))
  sync.take({ 1: { text: 'Sí, hoy', replyTo: quote('m1') } })
  t.equal(readQuotedId(scope, '1'), 'm2')
  await sync.flush()
  t.same(calls, ['1 Sí, hoy m2'])
  sync.take({})
  t.equal(readQuotedId(scope, '1'), '', 'sent elsewhere, with its quote')
})

t.test('a draft taken over is the draft here, with its quote', async t => {
  const { sync, calls, scope } = aSync(t)
  adoptDraft(scope, '1', { text: 'Sí', replyTo: quote('m1') })
  await sync.flush()
  t.equal(readDraft(scope, '1'), 'Sí')
  t.equal(readQuotedId(scope, '1'), 'm1')
  t.same(calls, [], 'the server has it already')
})

t.test('a stored draft that arrives late keeps the typed text, and its own quote is dropped', async t => {
  const { sync, calls, type, scope } = aSync(t)
  type('Hola, ¿qué tal?')
  sync.take({ 1: { text: 'Ya sale', replyTo: quote('m1') } })
  t.equal(readDraft(scope, '1'), 'Hola, ¿qué tal?')
  t.equal(readQuotedId(scope, '1'), '')
  await sync.flush()
  t.same(calls, ['1 Hola, ¿qué tal?'])
})
