/** The recipients of a bulk send stay readable: by name, and with reasons in words. */
import t from 'tap'
import { nameInRow } from '#server/features/bulk-sends/audience/name-in-row.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('names from the file appear in the report and its CSV, with reasons in words', async t => {
  const { backend, ask, create, report, recipients, later } = await stage(t)
  const [ana = '', known = '', unnamed = ''] = phones(3)
  await ask('POST', '/sandbox/inbound', { from: known, name: 'Luis Paz', text: 'hola' })
  await backend.settle()
  const text = `Nombre;Apellido;Teléfono\nAna;Pérez;${ana}\nOtro;Nombre;${known}\n;;${unnamed}\nNadie;;123`
  const send = await create({ audience: { csv: { text } }, startIfPlanned: 3 })
  for (let i = 0; i < 6; i += 1) await later(5_000)
  t.match(await report(send), { state: 'completed' })
  const names = async () => new Map((await recipients(send)).map(one => [one.given, one.name]))
  t.equal((await names()).get(ana), 'Ana Pérez')
  t.equal((await names()).get(known), 'Luis Paz', 'as the organization knows them')
  t.equal((await names()).get(unnamed), null)
  t.match(
    (await recipients(send)).find(({ state }) => state === 'omitted'),
    { name: 'Nadie', reason: { code: 'invalidNumber', message: 'Not a valid phone number' } },
  )
  const { json } = await ask<{ csv: string }>('GET', `/whatsapp/bulk-sends/${send.id}/report`)
  t.match(json.csv, new RegExp(`${ana},Ana Pérez,`))
  t.match(json.csv, /Nadie,.*Not a valid phone number/)
  t.notMatch(json.csv, /invalidNumber|omission\./)

  // A contact without a name at that time has one by now.
  await ask('POST', '/sandbox/inbound', { from: unnamed, name: 'Zoe', text: 'hola' })
  await backend.settle()
  t.equal((await names()).get(unnamed), 'Zoe')
  // An erased person is in no report.
  await ask('POST', `/whatsapp/conversations/${ana}/erasure`, { reason: 'asked', confirm: ana })
  for (let i = 0; i < 20; i += 1) await later(1_000)
  t.notOk([...(await names()).values()].includes('Ana Pérez'))
  t.same(backend.errors(), [])
})

t.test('a row’s name comes from commonly used column names', async t => {
  t.equal(nameInRow({ Nombre: ' Ana ', Apellido: 'Pérez' }), 'Ana Pérez')
  t.equal(nameInRow({ 'Nombre y apellido': 'Ana Pérez', Nombre: 'Ana' }), 'Ana Pérez')
  t.equal(nameInRow({ 'First Name': 'Ana', 'Last Name': 'Paz' }), 'Ana Paz')
  t.equal(nameInRow({ CLIENTE: 'Kiosco Don José' }), 'Kiosco Don José')
  t.equal(nameInRow({ teléfono: '1', pedido: '2', nombre: '' }), null)
})

t.test('name parts and other column names are read as an import reads them', async t => {
  t.equal(nameInRow({ 'Family Name': 'Pérez', 'Given Name': 'Ana', 'Middle Name': 'Luz' }), 'Ana Luz Pérez')
  t.equal(nameInRow({ 'Razón social': 'Kiosco Don José' }), 'Kiosco Don José')
  t.equal(nameInRow({ 'Nombre completo': ' ', Nombre: 'Ana', Apellidos: 'Paz' }), 'Ana Paz')
})
