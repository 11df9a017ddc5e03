import type { WholeBulkDraft } from '#shared/bulk-sends/drafts.ts'
import type { BulkSendReport } from '#shared/bulk-sends/sends.ts'
import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, intercept, type Page, picture, test } from './fixtures.ts'

test.use({ locale: 'es-AR', viewport: { width: 1024, height: 900 } })

/** Opens a step of a new send by its head. */
const step = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}\\b`) }).click()

test('a file becomes a plan that lists its errors, and its send a report of each recipient', async ({
  page,
  org,
  openInbox,
  complaints,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.call('POST', '/whatsapp/template/sync')
  await org.call('PATCH', '/sandbox', { messagingLimit: 'TIER_250' })
  await openInbox(page)
  await page.goto(page.url().replace(/\/c(\?.*)?$/, '/c/masive/new'))
  await page.getByRole('button', { name: /pedido_listo/ }).click()

  const lines = ['Cliente;Celular;Pedido', `Lucía;${lucia.phone};1042`, 'Beto;nada;7', `Otra vez;${lucia.phone};8`]
  const buffer = Buffer.from(lines.join('\r\n'), 'latin1')
  await page.getByLabel('Archivo de contactos').setInputFiles({ name: 'clientes.csv', mimeType: 'text/csv', buffer })
  await expect(page.getByText('3 filas. 2 tienen algún problema.')).toBeVisible()
  await expect(page.getByLabel('Columna con el número')).toHaveValue('Celular')
  await expect(page.getByRole('row', { name: /^3 no es un número de teléfono válido/ })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'nada' }).last()).toHaveAttribute('data-bad', 'true')
  await expect(page.getByText('1 persona', { exact: true }), 'counted while one chooses').toBeVisible()
  await expect(page.getByText('2 quedan afuera.')).toBeVisible()
  await page.getByRole('button', { name: 'Seguir con las variables' }).click()
  const from = page.getByLabel('De dónde sale')
  await from.nth(0).selectOption({ label: 'Columna «Cliente» del archivo' })
  await from.nth(1).selectOption({ label: 'Columna «Pedido» del archivo' })
  await expect(page.getByText('Hola Lucía, tu pedido 1042 ya está listo para retirar.')).toBeVisible()
  await page.getByRole('button', { name: 'Seguir con la prueba' }).click()
  const refuse = async (details: { field: string; code: string; message: string }[]) => {
    const body = {
      statusCode: 400,
      code: 'APP_VALIDATION',
      message: 'Hay datos que no son válidos.',
      requestId: 'x',
      details,
    }
    await intercept(page, '**/bulk-sends/plan', route => route.fulfill({ status: 400, json: body }))
    await page.getByRole('button', { name: 'Ver el plan' }).click()
  }
  await refuse([{ field: 'body.audience', code: 'maxItems', message: '' }])
  await expect(page.getByText('Son más de 100.000 personas, el máximo de un envío. Armalo en partes.')).toBeVisible()
  await refuse([{ field: 'body.audience.tags.ids', code: 'invalid', message: 'No es válido.' }])
  await expect(page.getByText('Hay datos que no son válidos. Destinatarios: No es válido.')).toBeVisible()
  await page.unroute('**/bulk-sends/plan')
  await page.getByRole('button', { name: 'Ver el plan' }).click()
  await expect(page.getByText('Hola Lucía, tu pedido 1042 ya está listo para retirar.')).toBeVisible()
  await expect(page.getByText('Fila 4', { exact: true })).toBeVisible()
  await expect(page.getByText(/Termina el /)).toBeVisible()
  await expect(page.getByText(/con 250 personas en 24 horas; ahora hay lugar para 250/)).toBeVisible()
  await page.getByRole('button', { name: 'Cargar precios' }).click()
  const prices = page.getByRole('dialog', { name: 'Precios', exact: true })
  await prices.getByLabel('Utilidad').first().fill('0,03')
  await expectAccessible(page)
  await picture(page, 'prices')
  await prices.getByRole('button', { name: 'Guardar precios' }).click()
  await expect(page.getByText(/Cuesta aproximadamente 0,03\sUSD\./)).toBeVisible()
  complaints.announce(/^400 POST \/api\/whatsapp\/bulk-sends\/(test|plan)$/)
  await step(page, 'Prueba')
  await page.getByLabel('Tu número').fill('11')
  await page.getByRole('button', { name: 'Enviarme una prueba' }).click()
  await expect(page.getByRole('alert')).toHaveText('No es un número de teléfono válido')
  await page.getByLabel('Tu número').fill('11 5555-9090')
  await page.getByRole('button', { name: 'Enviarme una prueba' }).click()
  await expect(page.getByText(/Prueba: (En cola|Enviado|Entregado|Leído)/)).toBeVisible()
  await step(page, 'Plan')
  const folded = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}\\b`) })
  await expect(folded('Destinatarios')).toContainText('3 personas elegidas · clientes.csv')
  await expect(folded('Variables')).toContainText('Hola ___ ← columna «Cliente», tu pedido ___ ← columna «Pedido»')
  await expect(folded('Prueba')).toContainText('Prueba enviada')
  // A single recipient needs no canary.
  await expect(page.getByLabel('Primero a unos pocos, y esperar')).toHaveCount(0)
  await page.getByLabel('Solo en horario local de cada destinatario').check()
  await page.getByLabel('Desde qué hora').fill('21')
  await expect(page.getByText('La hora de inicio tiene que ser anterior a la de fin.')).toBeVisible()
  await page.getByLabel('Desde qué hora').fill('0')
  await page.getByLabel('Hasta qué hora').fill('24')
  await expect(page.getByText(/o más tarde: cada persona espera su horario/)).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'plan')

  const place = page.locator('#content')
  await place.evaluate(element => element.scrollTo({ top: 1e6 }))
  await page.getByRole('button', { name: 'Enviar ahora a una persona' }).click()
  await expect(page.getByRole('heading', { name: /^(Avance|Resultado)$/ })).toBeVisible()
  const crumbs = page.getByRole('navigation', { name: 'Dónde estás' })
  await expect(crumbs.getByText(/^pedido_listo · /)).toBeVisible()
  await expect(place).toHaveJSProperty('scrollTop', 0)
  const row = page.getByRole('row', { name: /Lucía Méndez/ }).first()
  await expect(row).toContainText(/Enviado|Entregado|Leído/)
  await expect(page.getByText('Terminado', { exact: true })).toBeVisible()
  await expect(page.getByText('De 0 a 24 h, hora local de cada destinatario')).toBeVisible()
  await expect(page.getByText(/^Hola Ana, tu pedido 1042/)).toBeVisible()
  await expect(page.getByText('Lo resaltado es un ejemplo: cada persona recibe sus datos.')).toBeVisible()
  await expect(page.getByText('Entregas en el tiempo'), 'of one person it would be a single step').toHaveCount(0)
  await expectAccessible(page)
  await picture(page, 'report')

  const reasons = page.getByRole('region', { name: 'Fallidos y omitidos' })
  await reasons
    .getByRole('listitem')
    .filter({ hasText: 'Repetido' })
    .getByRole('button', { name: 'Ver a 1 persona' })
    .click()
  const people = page.getByRole('region', { name: 'Destinatarios' })
  await expect(people.getByText('Solo por este motivo: Repetido: ya está en este envío')).toBeVisible()
  await expect(people.getByRole('row')).toHaveCount(2)
  await expectAccessible(page)
  await people.getByRole('button', { name: 'Ver todos los motivos' }).click()
  await expect(people.getByRole('row')).toHaveCount(3)
  await people.getByLabel('Mostrar').selectOption('')
  await expect(people.getByRole('row')).toHaveCount(4)
})

test('the report of a send to many draws its deliveries over time, also by keyboard and as a table', {
  tag: '@nightly',
}, async ({ page, org }) => {
  await org.call('POST', '/whatsapp/template/sync')
  const { items } = await org.call<{ items: { id: string; name: string }[] }>('GET', '/whatsapp/template')
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/bulk-sends', {
    template: items.find(({ name }) => name === 'hello_world')?.id,
    audience: { numbers: Array.from({ length: 20 }, (_, i) => `11 5555-${7100 + i}`).join(', ') },
    startIfPlanned: 20,
  })
  await org.until<BulkSendReport>(
    `/whatsapp/bulk-sends/${id}`,
    ({ state, curve }) => state === 'completed' && curve.length > 0,
  )
  await page.goto(paths.bulk(org.slug))
  // All of it happened within one minute, which is one point: an hour later nothing more had.
  await intercept(page, `**/whatsapp/bulk-sends/${id}`, async route => {
    const response = await route.fetch()
    const send: BulkSendReport = await response.json()
    const last = send.curve.at(-1)
    const later = last ? [{ ...last, at: new Date(Date.parse(last.at) + 3_600_000).toISOString() }] : []
    await route.fulfill({ response, json: { ...send, curve: [...send.curve, ...later] } })
  })
  await page
    .getByRole('row', { name: /hello_world/ })
    .getByRole('link')
    .first()
    .click()
  const curve = page.getByRole('img', { name: /^Entregas en el tiempo\./ })
  await curve.focus()
  await page.keyboard.press('Home')
  await expect(curve).toHaveAccessibleName(/Enviados: 0/)
  await page.keyboard.press('End')
  await expect(curve).toHaveAccessibleName(/Enviados: 20/)
  await curve.hover({ position: { x: 2, y: 20 } })
  await expect(page.locator('.tooltip')).toContainText('Enviados: 0')
  await page.getByText('Ver como tabla').click()
  await expect(page.getByRole('region', { name: 'Entregas en el tiempo' }).getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('a count that comes late does not replace a newer one, and arrows show the first recipients', async ({
  page,
  org,
}) => {
  await org.call('POST', '/whatsapp/template/sync')
  await page.goto(paths.bulkCreate(org.slug))
  await page.getByRole('button', { name: /^hello_world/ }).click()
  const first = Promise.withResolvers<void>()
  let counts = 0
  await intercept(page, '**/bulk-sends/count', async route => {
    counts += 1
    const response = await route.fetch()
    if (counts === 1) await first.promise
    await route.fulfill({ response })
  })
  const numbers = page.getByLabel('Números', { exact: true })
  await numbers.fill('11 5555-0401')
  await expect.poll(() => counts).toBe(1)
  await expect(page.getByText('Contando…')).toBeVisible()
  await numbers.fill('11 5555-0401, 11 5555-0402, 11 5555-0403, 11 5555-0401')
  first.resolve()
  await expect(page.getByText('3 personas', { exact: true })).toBeVisible()
  await expect(page.getByText('Una queda afuera.')).toBeVisible()
  await expect(page.getByText('1 persona', { exact: true })).toHaveCount(0)
  const card = page.getByRole('region', { name: 'Así lo reciben' })
  await expect(card).toContainText('1 de 3')
  await expect(card).toContainText('0401')
  await card.getByRole('button', { name: 'Persona siguiente' }).click()
  await expect(card).toContainText('0402')
  await card.getByRole('button', { name: 'Persona anterior' }).click()
  await card.getByRole('button', { name: 'Persona anterior' }).click()
  await expect(card).toContainText('3 de 3')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test('a file larger than a send is split into parts, and a part becomes a plan', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  test.slow()
  await org.call('POST', '/whatsapp/template/sync')
  await openInbox(page)
  await page.goto(page.url().replace(/\/c(\?.*)?$/, '/c/masive/new'))
  await page.getByRole('button', { name: /pedido_listo/ }).click()
  const note = 'x'.repeat(400)
  const rows = Array.from({ length: 21_000 }, (_, i) => `+54911${50_000_000 + i},Ana ${i},${note}`)
  const buffer = Buffer.from(`celular,nombre,nota\n${rows.join('\n')}\nnada,Beto,\n11 5000-0007,Otra vez,\n`)
  await page.getByLabel('Archivo de contactos').setInputFiles({ name: 'todos.csv', mimeType: 'text/csv', buffer })
  const second = page.getByRole('button', { name: 'Usar la parte 2' })
  await expect(second).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/21\.?002 filas\. Una tiene un problema\./)).toBeVisible()
  await expect(page.getByText(/Fila 21\.?002: no es un número de teléfono válido\./)).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'large-file')
  await expect(page.getByText('Una persona ya está en una parte anterior.')).toBeVisible()
  await expect(page.getByLabel('Dejar afuera de cada parte a quien ya está en una anterior')).toBeChecked()
  const said = await page.getByRole('listitem').filter({ has: second }).innerText()
  const [from = 0, to = 0] = (said.match(/\d[\d.]*\d/g) ?? []).map(one => Number(one.replaceAll('.', '')))
  await second.click()
  await expect(page.getByText('todos.csv, parte 2')).toBeVisible()
  await expect(page.getByLabel('Columna con el número')).toHaveValue('celular')
  // All rows except the one whose number is in the first part.
  const rest = page.getByText(/^[\d.]+ filas\. Una tiene un problema\.$/)
  expect(Number((await rest.innerText()).replace(/ filas.*/, '').replaceAll('.', ''))).toBe(to - from)
})

test('an unfinished send is a draft: listed, continued, and deleted after sending or on request', async ({
  page,
  org,
  openInbox,
  complaints,
}) => {
  await org.call('POST', '/whatsapp/template/sync')
  await openInbox(page)
  const list = page.url().replace(/\/c(\?.*)?$/, '/c/masive')
  await page.goto(`${list}/new`)
  await page.getByRole('button', { name: /pedido_listo/ }).click()
  const numbers = page.getByLabel('Números', { exact: true })
  await numbers.fill('11 5555-7071')
  await expect(page.getByText('Borrador guardado')).toBeVisible()
  await expect(page).toHaveURL(/\?draft=/)
  await page.reload()
  await expect(numbers).toHaveValue('11 5555-7071')
  await expect(page.getByText('pedido_listo', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'draft')

  await page.goto(list)
  await expect(page.getByRole('button', { name: /^Borradores 1$/ })).toBeVisible()
  const row = page.getByRole('row', { name: /pedido_listo.*Borrador/ })
  await expect(row).toContainText('Números elegidos')
  await expectAccessible(page)
  await picture(page, 'drafts')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'drafts-narrow')
  await page.setViewportSize({ width: 1024, height: 900 })
  await row.getByRole('link').click()
  await expect(numbers).toHaveValue('11 5555-7071')

  // Another session saves it meanwhile.
  const { items } = await org.call<{ items: { id: string }[] }>('GET', '/whatsapp/bulk-drafts')
  const path = `/whatsapp/bulk-drafts/${items[0]?.id}`
  const theirs = await org.call<WholeBulkDraft>('GET', path)
  const audience = { ...theirs.steps.audience, numbers: '11 5555-7072' }
  await org.call('PUT', path, { revision: theirs.revision, steps: { ...theirs.steps, audience } })
  complaints.announce(/^409 PUT \/api\/whatsapp\/bulk-drafts\//)
  await numbers.fill('11 5555-7073')
  const notice = page.getByText('El borrador se guardó desde otro lado mientras lo tenías abierto.')
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'draft-elsewhere')
  await page.getByRole('button', { name: 'Ver lo guardado' }).click()
  await expect(numbers).toHaveValue('11 5555-7072')
  await expect(notice).toHaveCount(0)

  await page.goto(`${list}/new`)
  await page.getByRole('button', { name: /pedido_listo/ }).click()
  await page.getByRole('button', { name: 'Seguir con las variables' }).click()
  await expect(page.getByRole('alert'), 'nobody is chosen').toContainText('Elegí una etiqueta')
  await expect(numbers, 'where it is missing').toBeFocused()
  await expect(page.getByLabel('De dónde sale')).toHaveCount(0)
  await page.goto(list)
  await expect(page.getByRole('button', { name: /^Borradores 1$/ }), 'a look stores nothing').toBeVisible()
  await page.goto(`${list}/new`)
  await page.getByRole('button', { name: /pedido_listo/ }).click()
  await page.getByLabel('Nombre del envío').fill('Pan dulce')
  await expect(page.getByText('Borrador guardado')).toBeVisible()
  await page.goto(list)
  const named = page.getByRole('row', { name: /Pan dulce/ })
  await expect(named).toContainText('Faltan los destinatarios')
  await named.getByRole('link').click()
  await expect(page.getByLabel('Nombre del envío')).toHaveValue('Pan dulce')
  await page.getByRole('button', { name: 'Eliminar el borrador' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Eliminar el borrador' }).click()
  await expect(page).toHaveURL(/\/c\/masive$/)
  await expect(page.getByRole('button', { name: /^Borradores 1$/ })).toBeVisible()

  await page
    .getByRole('row', { name: /pedido_listo.*Borrador/ })
    .getByRole('link')
    .click()
  await step(page, 'Variables')
  await page.getByLabel('De dónde sale').first().selectOption({ label: 'El mismo texto para todos' })
  await page.getByLabel('Texto', { exact: true }).nth(0).fill('Ana')
  await page.getByLabel('Texto', { exact: true }).nth(1).fill('1042')
  await org.until<WholeBulkDraft>(path, saved => JSON.stringify(saved).includes('1042'))
  await page.reload()
  await expect(page.getByLabel('Texto', { exact: true }).nth(1), 'the step that was open').toHaveValue('1042')
  await step(page, 'Plan')
  await page.getByRole('button', { name: 'Enviar ahora a una persona' }).click()
  await expect(page).toHaveURL(/\/c\/masive\/[0-9a-z]{24}$/)
  await page.goto(list)
  await expect(page.getByRole('button', { name: /^Borradores 0$/ })).toBeVisible()
})

test('sends are filtered by state, and their rate is set', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  await org.call('POST', '/whatsapp/template/sync')
  const { items } = await org.call<{ items: { id: string; name: string }[] }>('GET', '/whatsapp/template')
  const template = items.find(({ name }) => name === 'pedido_listo')?.id
  const values = { body: { '1': { from: 'fixed', text: 'Ana' }, '2': { from: 'fixed', text: '7' } } }
  await org.call('POST', '/whatsapp/bulk-sends', { template, audience: { numbers: '11 5555-7070' }, values })
  await openInbox(page)
  await page.goto(page.url().replace(/\/c(\?.*)?$/, '/c/masive'))
  const sends = page.getByRole('table', { name: 'Envíos masivos' })
  await expect(sends.getByText('Listo para enviar')).toBeVisible()
  await page.getByRole('button', { name: 'Terminados 0' }).click()
  await expect(page.getByText('No hay envíos así.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No hay envíos así.')).toBeVisible()
  await page.getByRole('button', { name: 'Para revisar' }).click()
  await expect(sends.getByRole('row'), 'its head, and one').toHaveCount(2)
  await expect(page.getByText('Salen 20 mensajes por segundo.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'sends')
  await page.getByRole('button', { name: 'Cambiar ritmo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ritmo de los envíos masivos' })
  await dialog.getByLabel('Mensajes por segundo').fill('1001')
  await expect(dialog.getByText('Entre 1 y 1000.')).toBeVisible()
  await dialog.getByLabel('Mensajes por segundo').fill('60')
  await expectAccessible(page)
  await picture(page, 'pace')
  await dialog.getByRole('button', { name: 'Guardar ritmo' }).click()
  await expect(page.getByText('Salen 60 mensajes por segundo.')).toBeVisible()
})

test('clicking ahead of a response works, and a double click counts once', {
  tag: '@nightly',
}, async ({ page, org }) => {
  await org.call('POST', '/whatsapp/template/sync')
  const { items } = await org.call<{ items: { id: string; name: string }[] }>('GET', '/whatsapp/template')
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/bulk-sends', {
    template: items.find(({ name }) => name === 'hello_world')?.id,
    audience: { numbers: '11 5555-7171, 11 5555-7172, 11 5555-7173' },
    canary: { people: 1, waitMinutes: 30 },
  })
  await page.goto(`/org/${org.slug}/c/masive/${id}`)
  const main = page.getByRole('main')
  const button = (name: string) => main.getByRole('button', { name, exact: true })
  await main.getByRole('button', { name: /^Enviar/ }).click()
  await expect(main.getByText('En curso', { exact: true })).toBeVisible()
  const answers = Promise.withResolvers<void>()
  await intercept(page, '**/bulk-sends/*/pause', async route => {
    const response = await route.fetch()
    await answers.promise
    await route.fulfill({ response })
  })
  await button('Pausar').click()
  await button('Seguir').click()
  await expect(main.getByText('En curso', { exact: true })).toBeVisible()
  answers.resolve()
  await button('Pausar').dblclick()
  await expect(main.getByText('Pausado', { exact: true })).toBeVisible()
  await expect(button('Seguir')).toBeEnabled()
})

test('a template with a location in its header is sent to many, with the same location', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const components = [
    { type: 'HEADER', format: 'LOCATION' },
    { type: 'BODY', text: 'Nos mudamos: desde mañana te esperamos en el local nuevo.' },
  ]
  const template = { name: 'nos_mudamos', language: 'es_AR', category: 'UTILITY', components }
  const { id } = (await org.call('POST', '/whatsapp/template', { template })) as { id: string }
  await org.call('POST', `/sandbox/template/${id}`, { status: 'APPROVED' })
  await openInbox(page)
  await page.goto(page.url().replace(/\/c(\?.*)?$/, '/c/masive/new'))
  const choice = page.getByRole('button', { name: /nos_mudamos/ })
  await expect(async () => {
    await page.reload()
    await choice.click({ timeout: 2000 })
  }).toPass()
  await page.getByLabel('Números', { exact: true }).fill('11 5555-0301')
  await step(page, 'Plan')
  await expect(page.getByText('Entre -90 y 90.')).toBeVisible()
  await page.getByLabel('Latitud').fill('-34,588')
  await page.getByLabel('Longitud').fill('-58,41')
  await page.getByLabel('Nombre del lugar').fill('Panadería')
  await expectAccessible(page)
  await picture(page, 'place')
  await step(page, 'Plan')
  await page.getByRole('button', { name: 'Enviar ahora a una persona' }).click()
  await expect(page.getByText('Terminado', { exact: true })).toBeVisible()
  await expect(page.getByRole('row', { name: /5555.?0301/ })).toContainText(/Enviado|Entregado|Leído/)
})

test('a segment is built from conditions, shows its contacts, and is used as audience of a send', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.call('POST', '/whatsapp/template/sync')
  await openInbox(page)
  await page.goto(page.url().replace(/\/c(\?.*)?$/, '/c/masive/new'))
  await page.getByRole('button', { name: /pedido_listo/ }).click()
  await page.getByRole('button', { name: 'Nuevo segmento' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuevo segmento' })
  await dialog.getByRole('button', { name: 'Guardar segmento' }).click()
  await expect(dialog.getByText('Ponele un nombre.')).toBeVisible()
  await expect(dialog.getByText('Elegí al menos una condición.')).toBeVisible()
  await dialog.getByLabel('Nombre').fill('Activos')
  await dialog.getByLabel('Última vez que escribió').selectOption('before')
  await expect(dialog.getByText('No encuentra a nadie.')).toBeVisible()
  await dialog.getByLabel('Última vez que escribió').selectOption('within')
  await expect(dialog.getByText('Encuentra a una persona.')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'segment')
  await dialog.getByRole('button', { name: 'Guardar segmento' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Segmento de contactos').locator('option:checked')).toHaveText('Activos')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'audience')
  await page.getByRole('button', { name: 'Eliminar este segmento' }).click()
  await expect(page.getByLabel('Segmento de contactos')).toBeHidden()
})

test('the address of an unknown send or flow shows a not-found page', { tag: '@nightly' }, async ({
  page,
  openInbox,
  complaints,
}) => {
  await openInbox(page)
  const home = page.url().replace(/\/c(\?.*)?$/, '')
  for (const address of [`${home}/c/masive/nada`, `${home}/c/masive/${'0'.repeat(24)}`, `${home}/flow/nada`]) {
    complaints.announce(/^404 GET \/org\//)
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Página no encontrada.' })).toBeVisible()
  }
})

test('a member whose role has no tags learns who grants them, and continues once somebody has', {
  tag: '@nightly',
}, async ({ page, org, another }) => {
  const [vip, rest] = await Promise.all(
    ['Clientes', 'Otros'].map(label => org.call<{ id: string }>('POST', '/whatsapp/tags', { label })),
  )
  await org.call('POST', '/whatsapp/template/sync')
  const seller = await another(await org.colleague('Marta'))
  await seller.goto(paths.bulk(org.slug))
  const note = seller.getByText('Tu rol no tiene etiquetas habilitadas.')
  await expect(note).toBeVisible()
  await expectAccessible(seller)
  await picture(seller, 'no-tags')
  await seller.goto(paths.bulkCreate(org.slug))
  await seller.getByRole('button', { name: /pedido_listo/ }).click()
  await expect(note).toBeVisible()
  await expect(seller.getByLabel('Clientes')).toHaveCount(0)

  await page.goto(`/org/${org.slug}`)
  await page.getByRole('row', { name: /Marta/ }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Editar acceso a contenido' }).click()
  const access = page.getByRole('dialog')
  await expect(access.getByLabel('Clientes')).not.toBeChecked()
  const grant = (phoneTagId = '') =>
    org.call('POST', '/members/content-permissions', { role: 'member', phoneTagId, granted: true })
  await grant(vip?.id)
  await expect(note).toHaveCount(0)
  await expect(seller.getByLabel('Clientes')).toBeVisible()
  await expect(seller.getByLabel('Otros')).toHaveCount(0)
  await expect(access.getByLabel('Clientes')).toBeChecked()
  await expect(access.getByLabel('Otros')).not.toBeChecked()
  await grant(rest?.id)
  await expect(access.getByLabel('Otros')).toBeChecked()
})

test('a colleague with the same tags sees a send; an unstarted one is blocked and restored with the right', {
  tag: '@nightly',
}, async ({ page, org, another }) => {
  const ana = org.customer(1, 'Ana Paz')
  await ana.says('Hola')
  const tag = await org.call<{ id: string }>('POST', '/whatsapp/tags', { label: 'Clientes' })
  await org.call('PUT', `/whatsapp/chats/${ana.phone}/tags/${tag.id}`)
  const grant = (granted: boolean) =>
    org.call('POST', '/members/content-permissions', { role: 'member', phoneTagId: tag.id, granted })
  await grant(true)
  await org.call('POST', '/whatsapp/template/sync')
  const { items } = await org.call<{ items: { id: string; name: string }[] }>('GET', '/whatsapp/template')
  const template = items.find(({ name }) => name === 'pedido_listo')?.id
  const values = { body: { '1': { from: 'fixed', text: 'Ana' }, '2': { from: 'fixed', text: '7' } } }
  const audience = { tags: { ids: [tag.id], match: 'any' } }
  const [marta, juan] = await Promise.all([org.colleague('Marta'), org.colleague('Juan')])
  const [seller, other] = await Promise.all([another(marta), another(juan)])
  await seller.goto(paths.bulk(org.slug))
  const status = await seller.evaluate(
    async body =>
      (
        await fetch('/api/whatsapp/bulk-sends', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status,
    { template, audience, values },
  )
  expect(status).toBe(202)
  const sends = other.getByRole('table', { name: 'Envíos masivos' })
  await other.goto(paths.bulk(org.slug))
  await expect(sends.getByText('Marta')).toBeVisible()
  await sends.getByRole('link').first().click()
  await expect(other.getByRole('cell', { name: 'Ana Paz' })).toBeVisible()
  await other.goBack()

  await seller.getByRole('table', { name: 'Envíos masivos' }).getByRole('link').first().click()
  await expect(seller.getByRole('button', { name: 'Enviar a una persona' })).toBeVisible()
  await grant(false)
  await expect(sends).toHaveCount(0)
  const why = seller.getByText('Todavía no empezó. Cuando recupere el permiso, el envío vuelve a quedar listo.')
  await expect(why).toBeVisible()
  await expect(seller.getByRole('button', { name: 'Seguir' })).toHaveCount(0)
  await expectAccessible(seller)
  await picture(seller, 'without-right')
  await page.goto(paths.bulk(org.slug))
  await expect(page.getByText('Bloqueado')).toBeVisible()
  await grant(true)
  await expect(why).toHaveCount(0)
  await expect(seller.getByRole('button', { name: 'Enviar a una persona' })).toBeVisible()
  await expect(sends.getByText('Marta')).toBeVisible()
})

test('a send starts at a time of the organization’s clock, or of each recipient’s own', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  await org.call('POST', '/whatsapp/template/sync')
  await org.call('PATCH', '/organization/settings', { timeZone: 'Europe/Madrid' })
  await openInbox(page)
  const list = page.url().replace(/\/c(\?.*)?$/, '/c/masive')
  const plan = async (number: string) => {
    await page.goto(`${list}/new`)
    await page.getByRole('button', { name: /^hello_world/ }).click()
    await page.getByLabel('Números', { exact: true }).fill(number)
    await step(page, 'Plan')
  }
  const year = new Date().getUTCFullYear() + 1
  await plan('+54 9 11 5555-0101')
  await page.getByLabel('Hora de la organización').check()
  await page.getByLabel('Fecha y hora', { exact: true }).fill(`${year}-01-15T10:00`)
  await expect(page.getByText('Hora de Madrid.')).toBeVisible()
  await page.getByLabel('Hora local de cada destinatario').check()
  await expect(page.getByText('Según la hora del país de su número.')).toBeVisible()
  await expect(page.getByLabel('Fecha y hora', { exact: true })).toHaveValue(`15 ene ${year}`)
  await expect(page.getByLabel('Hora: Fecha y hora')).toHaveValue('10:00')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'own-clock')
  await page.getByRole('button', { name: 'Programar para una persona' }).click()
  await expect(page.getByText(`el 15 de enero de ${year}, 10:00, hora local de cada destinatario`)).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/c(\?.*)?$/)
  await page.goto(list)
  await expect(page.getByRole('cell', { name: `15 ene ${year}, 10:00 Hora local de cada destinatario` })).toBeVisible()
  await plan('+54 9 11 5555-0102')
  await page.getByLabel('Hora de la organización').check()
  await page.getByLabel('Fecha y hora', { exact: true }).fill(`${year}-01-15T10:00`)
  await page.getByRole('button', { name: 'Programar para una persona' }).click()
  const waits = page.getByText(`Sale el 15 de enero de ${year}, 10:00`)
  await expect(waits).toBeVisible()
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Enviar ahora' }).click()
  const asks = page.getByRole('dialog', { name: '¿Enviar ahora?' })
  await expect(asks.getByText('Le llega a una persona ya, sin esperar la hora programada.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'send-now')
  await asks.getByRole('button', { name: 'Cancelar' }).click()
  await expect(asks).toHaveCount(0)
  await page.reload()
  await expect(waits).toBeVisible()
  await page.getByRole('button', { name: 'Cambiar la hora' }).click()
  await expect(page.getByLabel('Fecha y hora', { exact: true })).toHaveValue(`15 ene ${year}`)
  await expect(page.getByLabel('Hora: Fecha y hora')).toHaveValue('10:00')
})
