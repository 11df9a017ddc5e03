/** Strangers who know an address and try to lock its owner out, or to get in. */
import t, { type Test } from 'tap'
import { anInstallation, codeIn, cookieOf, newestCode } from '#test/helpers/sign-in.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const ana = 'ana@example.com'
const owner = { 'x-forwarded-for': '198.51.100.7' }
const stranger = (n = 1) => ({ 'x-forwarded-for': `203.0.113.${n}` })

const aDoorway = async (t: Test) => {
  const backend = await anInstallation({ env: { TRUST_PROXY: '127.0.0.1' }, trustProxy: true })
  t.teardown(backend.end)
  const wrongFor = (...codes: string[]) =>
    ['000000', '111111', '222222', '333333'].find(code => !codes.includes(code)) ?? ''
  return { ...backend, wrongFor }
}

t.test("a stranger's wrong guesses do not block the owner's code", async t => {
  for (const hasCookie of [true, false]) {
    const { askCode, enter, lastCode, wrongFor } = await aDoorway(t)
    const asked = await askCode(ana, owner)
    const right = lastCode()
    for (let n = 0; n < 40; n += 1) await enter(ana, wrongFor(right), stranger(n % 4))
    const entered = await enter(ana, right, { ...owner, ...(hasCookie ? { cookie: cookieOf(asked) } : {}) })
    t.equal(entered.statusCode, 200, hasCookie ? 'in the browser that asked' : 'a program without cookies')
  }
})

t.test('nor when the stranger comes from the same network', async t => {
  const { askCode, enter, lastCode, wrongFor } = await aDoorway(t)
  const cookie = cookieOf(await askCode(ana, owner))
  for (let n = 0; n < 15; n += 1) await enter(ana, wrongFor(lastCode()), owner)
  t.equal((await enter(ana, lastCode(), { ...owner, cookie })).statusCode, 200)
})

t.test("a stranger's requests neither invalidate the owner's code nor stop new ones", async t => {
  const { askCode, enter, letters } = await aDoorway(t)
  const cookie = cookieOf(await askCode(ana, owner))
  const right = codeIn(letters()[0])
  const replies = []
  for (let n = 0; n < 8; n += 1) replies.push((await askCode(ana, stranger())).statusCode)
  t.same(replies, [200, 200, 200, 200, 200, 429, 429, 429])
  t.equal((await askCode(ana, owner)).statusCode, 200, 'the owner may ask again')
  t.equal((await enter(ana, right, { ...owner, cookie })).statusCode, 200, 'and the first code is still good')
})

t.test('strangers can cause only a limited number of mails, and a known browser still gets its code', async t => {
  const { askCode, enter, lastCode, letters } = await aDoorway(t)
  const asked = cookieOf(await askCode(ana, owner))
  const known = cookieOf(await enter(ana, lastCode(), { ...owner, cookie: asked }))
  const before = letters().length
  for (let n = 0; n < 60; n += 1) await askCode(ana, stranger(n))
  t.ok(letters().length - before <= 15, `${letters().length - before} letters`)
  const again = await askCode(ana, { ...stranger(200), cookie: known })
  t.equal(again.statusCode, 200, 'a known browser, from any network')
  const code = lastCode()
  t.equal((await enter(ana, code, { ...stranger(200), cookie: known })).statusCode, 200)
})

t.test('a thousand guesses at once stay within the budget, in the flow that asked and beside it', async t => {
  const { askCode, enter, lastCode, wrongFor } = await aDoorway(t)
  const cookie = cookieOf(await askCode(ana, owner))
  const wrong = wrongFor(lastCode())
  const codesOf = async (headers: (i: number) => Record<string, string>) => {
    const replies = await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        enter(ana, wrong, { 'x-forwarded-for': `10.${i >> 8}.${i & 255}.1`, ...headers(i) }),
      ),
    )
    return replies.filter(({ statusCode }) => statusCode !== 429).length
  }
  t.equal(await codesOf(() => ({})), 10, 'without the cookie')
  t.equal(await codesOf(() => ({ cookie })), 10, 'with it')
})

t.test("a cookie for another address, a changed one and another person's are ignored", async t => {
  const { askCode, enter, letters, wrongFor } = await aDoorway(t)
  const forEva = cookieOf(await askCode('eva@example.com', stranger()))
  const forAna = cookieOf(await askCode(ana, owner))
  const right = newestCode(letters())
  for (let n = 0; n < 12; n += 1) await enter(ana, wrongFor(right), stranger())
  t.equal((await enter(ana, right, { ...stranger(), cookie: forEva })).statusCode, 429)
  const changed = forAna.replace(/=(.)/, (_, first) => `=${first === 'A' ? 'B' : 'A'}`)
  t.equal((await enter(ana, right, { ...stranger(), cookie: changed })).statusCode, 429)
  const promoted = forAna.replace('.asked.', '.known.')
  t.equal((await enter(ana, right, { ...stranger(), cookie: promoted })).statusCode, 429)
  t.equal((await enter(ana, right, { ...stranger(), cookie: forAna })).statusCode, 200, 'the right one does')
})

t.test('the cookie of a flow does not name the person, and scripts cannot read it', async t => {
  const { askCode } = await aDoorway(t)
  const [line = ''] = [(await askCode(ana, owner)).headers['set-cookie'] ?? []].flat()
  t.match(line, /^recado\.sign_in=[\w-]{22}\.asked\.[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/)
  t.notMatch(decodeURIComponent(line), 'ana')
})
