import t, { type Test } from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { graphError } from '#test/helpers/graph.ts'
import { codeOf, connect, body as keys, stage } from '../stage.ts'

const own = '15550783881'
const typed = '11 5555-1234'
const phone = '5491155551234'
const id = '106540352242999'
const success = { status: 200, body: { success: true } } as const

interface Listed {
  id: string
  display_phone_number: string
  code_verification_status: string
  status: string
  is_on_biz_app?: boolean
}

/** An account at Meta with the connected number and, optionally, others. */
const account = async (t: Test, others: Listed[] = [], options: Parameters<typeof stage>[1] = {}) => {
  const s = await stage(t, options)
  const listed: Listed[] = [
    {
      id: keys.phoneNumberId,
      display_phone_number: '+1 555-078-3881',
      code_verification_status: 'VERIFIED',
      status: 'CONNECTED',
    },
    ...others,
  ]
  const other = () => listed.find(one => one.id === id)
  const always = 1000
  s.graph.on(/^GET .*\/phone_numbers/, () => ({ status: 200, body: { data: listed } }), always)
  s.graph.on(
    /^POST .*\/phone_numbers/,
    () => {
      listed.push({
        id,
        display_phone_number: '+54 9 11 5555-1234',
        code_verification_status: 'NOT_VERIFIED',
        status: 'PENDING',
      })
      return { status: 200, body: { id } }
    },
    always,
  )
  s.graph.on(
    new RegExp(`^GET .*/${id}\\?`),
    () => ({
      status: 200,
      body: { id, display_phone_number: other()?.display_phone_number, verified_name: 'Panadería Norte' },
    }),
    always,
  )
  s.graph.on(/^POST .*\/request_code/, success, always)
  s.graph.on(
    /^POST .*\/verify_code/,
    ({ body }) => {
      if ((body as { code: string }).code !== '123456') return graphError(136025, 400, { error_subcode: 2388093 })
      Object.assign(other() ?? {}, { code_verification_status: 'VERIFIED' })
      return success
    },
    always,
  )
  s.graph.on(
    /^POST .*\/register/,
    () => {
      Object.assign(other() ?? {}, { status: 'CONNECTED' })
      return success
    },
    always,
  )
  const asked = (edge: string) =>
    s.graph.requests.filter(({ method, path }) => method === 'POST' && path.includes(edge))
  return { ...s, asked, listed }
}

const faultOf = async (call: Promise<unknown> | unknown) => {
  try {
    await call
    return 'no refusal'
  } catch (error) {
    const { code, status, fields } = error as { code: string; status: number; fields: string[] }
    return `${status} ${code} ${fields.join()}`
  }
}

t.test('a number is added to the account, gets its code, and is connected by it', async t => {
  const s = await account(t)
  await connect(s, { verifyToken: 'a-verify-token' })
  const wanted = { phone: typed, nameWaba: ' Panadería Norte ' }
  t.match(await s.numbers.addNumber(s.member, { body: wanted }), {
    phone,
    displayPhone: '+54 9 11 5555 1234',
    nameWaba: 'Panadería Norte',
    state: 'codeSent',
  })
  t.match(
    s.asked('/phone_numbers').map(({ body }) => body),
    [{ cc: '54', phone_number: '91155551234', verified_name: 'Panadería Norte' }],
  )
  t.match(s.asked('/request_code').at(-1), { body: { code_method: 'SMS', language: 'es_AR' } })
  t.equal((await s.rows()).length, 1, 'nothing is connected before its owner is verified')

  t.match(await s.numbers.addNumber(s.member, { body: { ...wanted, method: 'voice' } }), { state: 'codeSent' })
  t.equal(s.asked('/phone_numbers').length, 1, 'the second request does not add it again')
  t.match(s.asked('/request_code').at(-1), { body: { code_method: 'VOICE' } })

  const wrong = faultOf(s.numbers.confirmNumber(s.member, { body: { code: '654321', number: typed } }))
  t.equal(await wrong, '400 NUMBERS_CODE_WRONG body.code')
  t.equal(s.asked('/register').length, 0)

  const added = await s.numbers.confirmNumber(s.member, { body: { code: '123-456', number: typed, pin: '212834' } })
  t.match(added, {
    phone,
    phoneNumberId: id,
    verifiedName: 'Panadería Norte',
    status: 'connected',
    verifyToken: 'a-verify-token',
  })
  t.match(s.asked('/register').at(-1), { body: { messaging_product: 'whatsapp', pin: '212834' } })
  t.match(await s.numbers.getWaba(s.member, {}), { phone: own, numbers: [{ phone: own }, { phone }] })
  t.equal((await s.numbers.findByConnectionId(added.id))?.accessToken, keys.accessToken, 'with the keys of its account')

  const before = s.graph.requests.length
  t.match(await s.numbers.addNumber(s.member, { body: wanted }), { state: 'connected' })
  t.match(await s.numbers.confirmNumber(s.member, { body: { code: '123456', number: phone } }), { id: added.id })
  t.equal(s.graph.requests.length, before, 'a connected number causes no request to Meta')
  t.notMatch(JSON.stringify(s.log.lines()), /212834|123456/)
})

t.test('a number already in use at Meta is connected at once, also together with the app', async t => {
  const served = { id, display_phone_number: '+54 11 5555-1234', code_verification_status: 'EXPIRED' }
  for (const state of [{ status: 'CONNECTED' }, { status: 'PENDING', is_on_biz_app: true }]) {
    const s = await account(t, [{ ...served, ...state }])
    await connect(s)
    t.match(await s.numbers.addNumber(s.member, { body: { phone, nameWaba: 'Norte' } }), { state: 'connected' })
    t.same([s.asked('/request_code').length, s.asked('/register').length], [0, 0])
    t.equal((await s.rows()).length, 2)
  }
})

t.test('a verified but unregistered number gets a random PIN, unless it has one', async t => {
  const proved = { id, display_phone_number: `+${phone}`, code_verification_status: 'VERIFIED', status: 'PENDING' }
  const s = await account(t, [proved])
  await connect(s)
  s.graph.on(/^POST .*\/register/, graphError(133005))
  const wanted = { phone, nameWaba: 'Norte' }
  t.equal(await faultOf(s.numbers.addNumber(s.member, { body: wanted })), '400 NUMBERS_PIN_WRONG body.pin')
  t.match((s.asked('/register')[0]?.body as { pin?: string } | undefined)?.pin ?? '', /^\d{6}$/)
  t.match(await s.numbers.addNumber(s.member, { body: { ...wanted, pin: '000111' } }), { state: 'connected' })
  t.match(s.asked('/register').at(-1), { body: { pin: '000111' } })
})

t.test('a refusal names the field and changes nothing', async t => {
  const s = await account(t)
  const wanted = { phone, nameWaba: 'Norte' }
  const add = (body = wanted) => s.numbers.addNumber(s.member, { body })
  t.equal(await codeOf(add()), 'NUMBERS_NOT_CONNECTED')
  t.equal(
    await faultOf(s.numbers.confirmNumber(s.member, { body: { code: '123456', number: phone } })),
    '404 NUMBERS_NOT_ADDED body.number',
  )
  await s.numbers.connectSandbox(s.member, {})
  t.equal(await codeOf(add()), 'NUMBERS_SANDBOX_HAS_ONE')
  await connect(s)
  t.equal(await faultOf(add({ ...wanted, phone: 'mañana' })), '400 NUMBERS_NUMBER_INVALID body.phone')
  s.graph.on(/^POST .*\/phone_numbers/, graphError(100))
  t.equal(await faultOf(add()), '400 NUMBERS_NUMBER_REFUSED body.phone')
  s.graph.on(/^POST .*\/request_code/, graphError(136024, 400, { error_subcode: 2388091 }))
  t.equal(await codeOf(add()), 'NUMBERS_CODE_NOT_SENT')
  s.graph.on(/^GET .*\/phone_numbers/, graphError(190, 401))
  t.equal(await codeOf(add()), 'NUMBERS_TOKEN_REFUSED')
  t.equal(
    await codeOf(s.numbers.confirmNumber(s.member, { body: { code: 'AQD-of-the-page', number: phone } })),
    'NUMBERS_SIGNUP_OFF',
  )
  t.equal((await s.rows()).filter(row => row.disconnected_at === null).length, 1)
})

t.test('a number of another organization can be neither connected nor seen', async t => {
  const s = await account(t, [
    { id, display_phone_number: `+${phone}`, code_verification_status: 'VERIFIED', status: 'CONNECTED' },
  ])
  await connect(s)
  const theirs = await aMember({ databases: s.databases })
  await s.numbers.addNumber(s.member, { body: { phone, nameWaba: 'Norte' } })
  t.equal(await codeOf(s.numbers.addNumber(theirs.member, { body: { phone, nameWaba: 'X' } })), 'NUMBERS_NOT_CONNECTED')
  t.equal(
    await codeOf(s.numbers.confirmNumber(theirs.member, { body: { code: '123456', number: phone } })),
    'NUMBERS_NOT_ADDED',
  )
  t.equal(
    await faultOf(s.numbers.setVerifiedName(theirs.member, { body: { name: 'X', phone } })),
    '404 NUMBERS_NOT_CONNECTED body.phone',
  )
  s.graph.on(/^GET .*\/phone_numbers/, () => ({ status: 200, body: { data: [{ id: '106540352242977' }] } }), 3)
  s.graph.on(/^GET .*\/106540352242977\?/, () => ({
    status: 200,
    body: { id: '106540352242977', display_phone_number: '+54 9 11 5555-9999' },
  }))
  const mine = { phoneNumberId: '106540352242977', wabaId: '102290129340399' }
  await connect(s, mine, theirs.member)
  t.equal(await codeOf(s.numbers.addNumber(theirs.member, { body: { phone, nameWaba: 'X' } })), 'NUMBERS_TAKEN')
  t.match(await s.rows(), [{ org_id: s.org.id }, { org_id: s.org.id }, { org_id: theirs.org.id }])
})

t.test("the code of Meta's page connects a number with the business's token and the installation's app", async t => {
  const s = await account(
    t,
    [{ id, display_phone_number: `+${phone}`, code_verification_status: 'VERIFIED', status: 'PENDING' }],
    { signup: true },
  )
  const page = (code: string) => s.numbers.confirmNumber(s.member, { body: { code, number: typed } })
  s.graph.on(/^GET .*\/oauth\/access_token/, graphError(100, 400, { error_subcode: 36009 }))
  t.equal(await faultOf(page('AQD-used')), '400 NUMBERS_CODE_WRONG body.code')
  s.graph.on(
    /^GET .*\/oauth\/access_token/,
    { status: 200, body: { access_token: 'EAAG-of-the-business', token_type: 'bearer' } },
    9,
  )
  const scopes = (targets: object) => ({
    status: 200,
    body: { data: { granular_scopes: [{ scope: 'whatsapp_business_management', ...targets }] } },
  })
  s.graph.on(/^GET .*\/debug_token/, scopes({}))
  t.equal(await codeOf(page('AQD-1')), 'NUMBERS_PERMISSION_MISSING')
  s.graph.on(/^GET .*\/debug_token/, scopes({ target_ids: [keys.wabaId] }), 9)
  const made = await page('AQD-2')
  t.match(made, { phone, phoneNumberId: id, wabaId: keys.wabaId, verifyToken: 'the-shared-verify-token' })
  t.match(await s.numbers.findByConnectionId(made.id), {
    accessToken: 'EAAG-of-the-business',
    appSecret: 'the-shared-app-secret',
  })
  const exchange = s.graph.requests.find(({ path }) => path.includes('oauth'))
  t.match(exchange?.path, /client_id=670843887433847&client_secret=the-shared-app-secret&code=AQD-used/)
  t.equal(s.asked('/subscribed_apps').length, 1)
  t.equal(s.asked('/register').length, 1)
  t.notMatch(JSON.stringify(s.log.lines()), /AQD|EAAG|app-secret/)
})

t.test('another name is requested once, and activated by the PIN when it is approved', async t => {
  const s = await account(t)
  await connect(s)
  let names: object = { verified_name: 'Panadería Don Luis', name_status: 'APPROVED' }
  s.graph.on(
    new RegExp(`^GET .*/${keys.phoneNumberId}\\?`),
    () => ({ status: 200, body: { id: keys.phoneNumberId, ...names } }),
    1000,
  )
  const node = new RegExp(`^POST .*/${keys.phoneNumberId}(\\?|$)`)
  const nameCalls = () => s.graph.requests.filter(({ method, path }) => node.test(`${method} ${path}`)).length
  const rename = (more: { pin?: string; name?: string } = {}) =>
    s.numbers.setVerifiedName(s.member, { body: { name: 'Don Luis', phone: own, ...more } })
  const waiting = (status: string) => ({ ...names, new_display_name: 'Don Luis', new_name_status: status })

  t.match(await rename({ name: 'Panadería Don Luis' }), { state: 'inUse' })
  t.equal(nameCalls(), 0, 'its current name is not requested')
  s.graph.on(node, graphError(100))
  t.equal(await faultOf(rename()), '400 NUMBERS_NAME_REFUSED body.name')
  s.graph.on(node, ({ body }) => {
    t.same(body, { new_display_name: 'Don Luis' })
    names = waiting('PENDING_REVIEW')
    return success
  })
  t.match(await rename(), { state: 'inReview', name: 'Don Luis', verifiedName: 'Panadería Don Luis' })
  t.match(await rename(), { state: 'inReview' })
  t.equal(nameCalls(), 2, "nor again during Meta's review")
  names = waiting('APPROVED')
  t.match(await rename(), { state: 'approved' })
  s.graph.on(/^POST .*\/register/, graphError(133005))
  t.equal(await faultOf(rename({ pin: '999999' })), '400 NUMBERS_PIN_WRONG body.pin')
  s.graph.on(/^POST .*\/register/, () => {
    names = { verified_name: 'Don Luis', name_status: 'APPROVED' }
    return success
  })
  const heard = s.published.length
  t.match(await rename({ pin: '212834' }), { state: 'inUse', verifiedName: 'Don Luis' })
  t.match(await s.rows(), [{ verified_name: 'Don Luis' }])
  t.equal(s.published.length, heard + 1, 'open pages are notified')
  names = waiting('DECLINED')
  s.graph.on(node, success)
  t.match(await rename(), { state: 'declined' })
  t.equal(nameCalls(), 3, 'a declined name may be requested again')
})
