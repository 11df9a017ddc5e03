import t from 'tap'
import { isNamed, simulatedFault, testNumberFault } from '#server/simulator/faults/faults.ts'
import { findCode, httpStatusOf } from '#server/whatsapp/serving/codes.ts'
import { testNumberFaults } from '#shared/simulator/faults.ts'
import { sandboxBench, textTo } from '#test/helpers/sandbox.ts'

const magicNumber = (code: string) => `5491155${testNumberFaults.find(fault => fault.code === code)?.suffix}`

t.test('every test number means a fault with a text, and no other number does', async t => {
  t.equal(new Set(testNumberFaults.map(fault => fault.suffix)).size, testNumberFaults.length)
  for (const { suffix, code } of testNumberFaults) {
    t.match(suffix, /^\d{6}$/)
    t.equal(testNumberFault(`5491155${suffix}`)?.code, code)
    if (!isNamed(code)) t.ok(findCode(code)?.title, code)
  }
  t.equal(testNumberFault('5491155131026')?.code, '131026')
  for (const waId of ['5491155551234', '5491155000100', '5491155000004', '16505131026', '5491155500900'])
    t.equal(testNumberFault(waId), undefined, waId)
  t.equal(simulatedFault('999999'), undefined)
})

t.test('each code comes in the reply or later, with Meta’s status and text', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock, delivered } = bench
  for (const { code } of testNumberFaults.filter(fault => !isNamed(fault.code))) {
    const known = findCode(code)
    const said = await bench.post(textTo(magicNumber(code)))
    if (known?.mode === 'sync') {
      t.equal(said.status, httpStatusOf(Number(code)), code)
      t.equal(said.json.error.code, Number(code))
      t.match(said.json.error.message, known.message ?? `(#${code}) ${known.title}`)
    } else {
      t.equal(said.status, 200, code)
      clock.advance(1000)
      await bench.idle()
      t.match(delivered.at(-1)?.json.entry[0].changes[0].value.statuses, [
        {
          id: said.json.messages[0].id,
          status: 'failed',
          errors: [{ code: Number(code), title: known?.title, message: known?.title }],
        },
      ])
    }
  }
  t.match((await bench.post(textTo(magicNumber('190')))).json.error, {
    error_subcode: 463,
    message: /^Error validating access token: Session has expired/,
  })
  t.equal((await bench.post(textTo(magicNumber('190')))).status, 401)
  t.equal(
    (await sandbox.service.listOutbox(member, { query: {} })).items.every(item => item.status === 'failed'),
    true,
  )
})

t.test('simulated replies are errors, broken connections, or accepted without a status', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, app, clock, delivered } = bench
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const send = (code: string) =>
    fetch(`${base}/sandbox/graph/v25.0/${bench.number.phoneNumberId}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.number.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(textTo(magicNumber(code), 'x', { biz_opaque_callback_data: code })),
    })
  const plain = await send('500')
  t.equal(plain.status, 500)
  t.throws(() => JSON.parse('Internal Server Error'))
  t.equal(await plain.text(), 'Internal Server Error')
  const page = await send('html')
  t.equal(page.status, 502)
  t.match(await page.text(), /^<!DOCTYPE html>/)
  await t.rejects(send('reset'))
  t.match(await sandbox.service.listOutbox(member, { query: {} }), { total: 0 }, 'none of them was accepted')

  await t.rejects(send('cut'))
  t.equal((await send('noStatus')).status, 200)
  t.equal((await send('sentThenFailed')).status, 200)
  for (const code of ['cut', 'noStatus', 'sentThenFailed'])
    await sandbox.service.inbound(member, { body: { from: magicNumber(code), text: 'hola' } })
  delivered.length = 0
  for (let i = 0; i < 10; i += 1) {
    clock.advance(1000)
    await bench.idle()
  }
  const said = delivered.map(webhook => webhook.json.entry[0].changes[0].value.statuses[0])
  t.same(
    said.filter(status => status.biz_opaque_callback_data === 'cut').map(({ status }) => status),
    ['failed'],
    'accepted although the connection broke; its window was closed',
  )
  t.same(
    said.filter(status => status.biz_opaque_callback_data === 'sentThenFailed').map(({ status }) => status),
    ['sent', 'failed'],
  )
  t.same(
    said.filter(status => status.biz_opaque_callback_data === 'noStatus'),
    [],
  )

  await t.rejects(send('cut'))
  clock.advance(500)
  await bench.idle()
  t.match(delivered.at(-1)?.json.entry[0].changes[0].value.statuses, [
    { status: 'sent', biz_opaque_callback_data: 'cut' },
  ])

  const hung = t.rejects(send('hang'), 'a hanging request ends with the server')
  await new Promise(resolve => setTimeout(resolve, 200))
  await app.close()
  await hung
})

t.test('armed faults apply to the next messages, in order, as often as requested', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member } = bench
  await sandbox.service.arm(member, { body: { code: '130429', count: 2 } })
  const state = await sandbox.service.arm(member, { body: { code: '131026', mode: 'sync' } })
  t.same(state.armed, [
    { code: '130429', mode: 'sync', remaining: 2 },
    { code: '131026', mode: 'sync', remaining: 1 },
  ])
  await t.rejects(async () => sandbox.service.arm(member, { body: { code: 'nonsense' } }), {
    code: 'APP_VALIDATION',
    fields: ['body.code'],
  })
  const codes = []
  for (let i = 0; i < 4; i += 1) codes.push((await bench.post(textTo('5491155551234'))).json.error?.code)
  t.same(codes, [130429, 130429, 131026, undefined])
  t.same((await sandbox.service.getState(member, {})).armed, [])
})
