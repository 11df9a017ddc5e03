import { readFile } from 'node:fs/promises'
import { paths } from '#shared/kernel/paths.ts'
import {
  expect,
  expectAccessible,
  expectAxeRules,
  expectNoSidewaysScroll,
  outlineRules,
  type Page,
  picture,
  test,
} from './fixtures.ts'

const rows = (page: Page) => page.locator('.contact-row')

test('contacts are searched, filtered by the address, opened and exported', async ({ page, org, another }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await org.customer(3, 'Ana Gil').says('Buen día')
  const tag = await org.call<{ id: string }>('POST', '/whatsapp/tags', { label: 'Mayorista' })
  await org.call('PUT', `/whatsapp/chats/${lucia.phone}/tags/${tag.id}`)
  await org.call('PUT', `/whatsapp/chats/${lucia.phone}/opt-out`, { reason: 'Lo pidió' })
  await org.until<{ items: unknown[] }>('/whatsapp/contacts', ({ items }) => items.length === 3)

  await page.goto(paths.stats(org.slug))
  await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Contactos' }).click()
  await expect(page).toHaveURL(paths.contacts(org.slug))
  await expect(rows(page)).toHaveCount(3)
  await expect(rows(page).first()).toContainText('Ana Gil')
  const first = rows(page).filter({ hasText: 'Lucía Méndez' })
  await expect(first).toContainText('+54 9 11 5501 0001')
  await expect(first).toContainText('Mayorista')
  await expect(first).toContainText('No quiere marketing')
  await expect(page.getByText('3 contactos', { exact: true })).toBeVisible()
  await page.getByLabel('Orden').selectOption('Orden: nombre, de la A a la Z')
  await expect(page).toHaveURL(/\?sort=name$/)
  await expect(rows(page).nth(1)).toContainText('Lucía Méndez')
  await expect(page.getByRole('columnheader', { name: 'Nombre' })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByLabel('Orden').selectOption('Orden: agregados hace poco')
  await expect(page).toHaveURL(/\?sort=newest$/)
  await page.getByRole('link', { name: 'Última actividad' }).click()
  await expect(page).toHaveURL(paths.contacts(org.slug))
  await lucia.says('¿Siguen ahí?')
  await org.until<{ items: { name: string }[] }>(
    '/whatsapp/conversations',
    ({ items }) => items[0]?.name === 'Lucía Méndez',
  )
  await page.reload()
  const last = page.getByRole('columnheader', { name: 'Última actividad' })
  await expect(last).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).first(), 'sorted by what is shown').toContainText('Lucía Méndez')
  await expectAccessible(page)
  await picture(page, 'contacts')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: 'Planilla (CSV)' }).click()
  const file = await download
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines[3]).toContain(';Lucía Méndez;54 9 11 5501 0001;')

  const search = page.getByRole('searchbox', { name: 'Buscar por nombre' })
  await search.pressSequentially('gil')
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByText('2 contactos', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\?q=gil$/)
  await search.fill('nadie')
  await expect(page.getByText('Ningún contacto coincide.')).toBeVisible()
  await page.getByRole('link', { name: 'Quitar filtros' }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(search).toHaveValue('')
  await page.getByLabel('Marketing').selectOption('No quiere marketing')
  await expect(rows(page)).toHaveCount(1)
  await page.getByLabel('Etiqueta').selectOption('Mayorista')
  await expect(page).toHaveURL(/[?&]tag=/)
  await page.reload()
  await expect(page.getByLabel('Etiqueta')).toHaveValue(tag.id)
  await expect(rows(page)).toHaveCount(1)
  const name = rows(page).getByRole('link', { name: 'Lucía Méndez' })
  const side = page.getByRole('region', { name: 'Lucía Méndez' })
  await name.press('Enter')
  await expect(side).toContainText('+54 9 11 5501 0001')
  await expectAccessible(page)
  await picture(page, 'contact-side')
  await page.reload()
  await expect(side.getByText('Mayorista', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(side).toHaveCount(0)
  await expect(name).toBeFocused()
  await expect(page.getByLabel('Etiqueta')).toHaveValue(tag.id)
  await name.click()
  await expect(side).toBeVisible()
  await page.goBack()
  await expect(side).toHaveCount(0)
  await name.click()
  await side.getByRole('link', { name: 'Abrir el chat' }).click()
  await expect(page).toHaveURL(paths.chat(org.slug, lucia.phone))
  await page.goBack()
  await expect(rows(page)).toHaveCount(1)

  const phone = await another(org.owner, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await phone.goto(paths.contacts(org.slug))
  await expect(rows(phone)).toHaveCount(3)
  await expectNoSidewaysScroll(phone)
  await expectAccessible(phone)
  await picture(phone, 'contacts-phone')

  const viewer = await another(await org.colleague('Vera Vista', 'viewer'))
  await viewer.goto(paths.contacts(org.slug))
  await expect(rows(viewer)).toHaveCount(3)
  await expect(viewer.getByRole('button', { name: 'Exportar' })).toHaveCount(0)
})

test('an owner erases somebody from the list by keyboard, and an administrator on a phone', {
  tag: '@nightly',
}, async ({ page, org, another }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await org.until<{ items: unknown[] }>('/whatsapp/contacts', ({ items }) => items.length === 2)
  await page.goto(paths.contacts(org.slug))
  await page.getByRole('button', { name: 'Acciones de Lucía Méndez' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Eliminar contacto y sus datos…' }).press('Enter')
  const ask = page.getByRole('dialog', { name: '¿Eliminar a este contacto y sus datos?' })
  await expect(ask).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(ask).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Acciones de Lucía Méndez' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Cambiar el nombre' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Eliminar contacto y sus datos…' })).toBeFocused()
  await page.keyboard.press('Enter')
  await ask.getByLabel(/Para confirmar, escribí \+54 9 11 5501 0001/).fill('+54 9 11 5501 0001')
  await ask.getByRole('button', { name: 'Eliminar para siempre' }).press('Enter')
  await expect(page.getByText('Se están eliminando sus datos.')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('Pedro Gil')
  await org.until<{ items: { percent: number }[] }>('/organization/erasures', ({ items }) => items[0]?.percent === 100)

  const admin = await another(await org.colleague('Ada Admin', 'admin'), {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'en-US',
  })
  await admin.goto(paths.contacts(org.slug))
  await admin.getByRole('button', { name: 'Actions for Pedro Gil' }).click()
  await picture(admin, 'contacts-menu-narrow-dark')
  await admin.getByRole('menuitem', { name: 'Erase contact and data…' }).click()
  await expect(admin.getByRole('dialog', { name: 'Erase this contact and their data?' })).toBeVisible()
  await expectNoSidewaysScroll(admin)
  await expectAccessible(admin)
  await picture(admin, 'contacts-erasure-narrow-dark')

  const member = await another(await org.colleague('Mara Miembro', 'member'))
  await member.goto(paths.contacts(org.slug))
  await expect(rows(member)).toHaveCount(1)
  await member.getByRole('button', { name: /^Acciones de/ }).click()
  await expect(member.getByRole('menuitem', { name: 'Cambiar el nombre' })).toBeVisible()
  await expect(member.getByRole('menuitem', { name: /^Eliminar contacto/ })).toHaveCount(0)
})

test('a contacts file is checked row by row, imported, and lists its refused rows', async ({ page, org, another }) => {
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await org.until<{ items: unknown[] }>('/whatsapp/contacts', ({ items }) => items.length === 1)
  await page.goto(paths.contacts(org.slug))
  await page.getByRole('button', { name: 'Importar contactos' }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar contactos' })
  const begin = dialog.getByRole('button', { name: 'Importar contactos' })
  await expect(begin).toBeDisabled()
  await begin.focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Elegí un archivo primero.')
  await expect(dialog.getByText('Elegir archivo'), 'in the language of the page').toBeVisible()
  const workbook = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  await dialog
    .getByLabel('Archivo de contactos')
    .setInputFiles({ name: 'clientes.xls', mimeType: 'application/vnd.ms-excel', buffer: workbook })
  await expect(dialog.getByRole('alert')).toContainText('guardala como «CSV UTF-8')
  await expect(begin).toBeDisabled()
  const bare = { name: 'sin-titulos.csv', mimeType: 'text/csv', buffer: Buffer.from('Ana Ruiz;11 4444-0009') }
  await dialog.getByLabel('Archivo de contactos').setInputFiles(bare)
  await expect(dialog.getByText('La primera fila parece una persona')).toBeVisible()
  await expect(dialog.getByText('No sabemos qué columna tiene los nombres')).toContainText('Ana Ruiz')
  await expectAccessible(page)
  await picture(page, 'contacts-import-doubts')
  const text = [
    'Celular;Cliente;Rubro;Etiquetas',
    '+54 9 11 5501-0001;Lucía de la esquina;Bar;Mayorista',
    '11 4444-0002;Peña & hijos;Almacén;Mayorista, Norte',
    '11 4444-0003;"Ñandú',
    'del Sur";;',
    'sin número;Nadie;;',
  ].join('\r\n')
  // As Excel on Windows saves it.
  const file = { name: 'clientes.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') }
  await dialog.getByLabel('Archivo de contactos').setInputFiles(file)
  await expect(dialog.getByLabel('Celular')).toHaveValue('phone')
  await expect(dialog.getByLabel('Rubro')).toHaveValue('ignore')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'rechazado' })).toHaveText('1 rechazado')
  await expect(dialog.getByText('Se van a crear 2 etiquetas: Mayorista, Norte.')).toBeVisible()
  await dialog.getByLabel('Rubro').selectOption('Nota')
  await dialog.getByLabel('Si el contacto ya existe').selectOption('Reemplazar con lo del archivo')
  await expect(dialog.getByRole('row').nth(1)).toContainText('Cambia Nombre para la organización, Nota, Etiquetas')
  await dialog.getByText('Ver la fila rechazada').click()
  await expect(dialog.getByText('Fila 5:')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'contacts-import')
  await dialog.getByRole('button', { name: 'Importar 3 contactos' }).click()
  await expect(dialog.getByText('Terminó: 4 filas.')).toBeVisible()
  await picture(page, 'contacts-imported')
  await dialog.getByRole('button', { name: 'Listo' }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(rows(page).filter({ hasText: 'Ñandú del Sur' })).toBeVisible()
  await rows(page).filter({ hasText: 'Peña & hijos' }).getByRole('link').click()
  await page.getByRole('region', { name: 'Peña & hijos' }).getByRole('link', { name: 'Abrir el chat' }).click()
  await expect(page).toHaveURL(paths.chat(org.slug, '5491144440002'))

  const phone = await another(org.owner, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await phone.goto(paths.contacts(org.slug))
  await phone.getByRole('button', { name: 'Importar contactos' }).click()
  const small = phone.getByRole('dialog', { name: 'Importar contactos' })
  await small.getByLabel('Archivo de contactos').setInputFiles(file)
  await expect(small.getByRole('listitem').filter({ hasText: '3 quedan igual' })).toBeVisible()
  await expectNoSidewaysScroll(phone)
  await picture(phone, 'contacts-import-phone')
})

test('a contact is added and renamed, a selection is changed and written to, a segment is saved', async ({
  page,
  org,
  complaints,
}) => {
  complaints.announce(/^400 POST \/api\/whatsapp\/contacts$/)
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await org.call('POST', '/whatsapp/tags', { label: 'Mayorista' })
  await org.until<{ items: unknown[] }>('/whatsapp/contacts', ({ items }) => items.length === 2)

  await page.goto(paths.contacts(org.slug))
  await page.getByRole('button', { name: 'Nuevo contacto' }).press('Enter')
  const number = page.getByLabel('Número de teléfono')
  await expect(number).toBeFocused()
  await page.keyboard.type('11')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Bárbara Suárez')
  await page.keyboard.press('Enter')
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await number.fill('011 15 5555-0100')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Se agregó a Bárbara Suárez')).toBeVisible()
  await expect(rows(page)).toHaveCount(3)
  await expect(rows(page).filter({ hasText: 'Bárbara Suárez' })).toContainText('+54 9 11 5555 0100')

  await page.getByRole('button', { name: 'Acciones de Pedro Gil' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Cambiar el nombre' }).press('Enter')
  const name = page.getByRole('textbox', { name: 'Nombre', exact: true })
  await expect(name).toBeFocused()
  await page.keyboard.type('Pedro el panadero')
  await page.keyboard.press('Enter')
  await expect(rows(page).filter({ hasText: 'Pedro el panadero' })).toHaveCount(1)

  for (const name of ['Bárbara Suárez', 'Lucía Méndez'])
    await page.getByRole('checkbox', { name: `Seleccionar a ${name}` }).press('Space')
  await expect(page.getByText('2 seleccionados')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'contacts-selection')
  const tools = page.getByRole('toolbar', { name: 'Contactos seleccionados' })
  await tools.getByRole('button', { name: 'Etiquetas' }).press('Enter')
  await expect(
    page.getByPlaceholder('Buscar o crear una etiqueta').or(page.getByLabel('Buscar o crear una etiqueta')).first(),
  ).toBeFocused()
  await page.keyboard.type('Mayor')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(rows(page).filter({ hasText: 'Mayorista' })).toHaveCount(2)
  await tools.getByRole('button', { name: 'Cambiar marketing' }).press('Enter')
  await page.getByRole('menuitem', { name: 'No quiere marketing' }).press('Enter')
  await expect(rows(page).filter({ hasText: 'No quiere marketing' })).toHaveCount(2)

  await page.getByLabel('Etiqueta', { exact: true }).selectOption('Mayorista')
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Nuevo segmento' }).press('Enter')
  await page.getByLabel('Nombre', { exact: true }).fill('Mayoristas')
  await expect(page.getByText('Encuentra a 2 personas.')).toBeVisible()
  await page.keyboard.press('Enter')
  const segments = page.getByRole('navigation', { name: 'Segmentos' })
  await expect(segments.getByRole('link', { name: 'Mayoristas' })).toHaveAttribute('aria-current', 'page')
  await expect(segments.getByRole('link', { name: 'Mayoristas' })).toContainText('2')
  await expect(rows(page)).toHaveCount(2)
  await expectAccessible(page)
  await picture(page, 'contacts-segment')
  await segments.getByRole('link', { name: 'Todos' }).press('Enter')
  await expect(rows(page)).toHaveCount(3)
  for (const name of ['Bárbara Suárez', 'Lucía Méndez'])
    await page.getByRole('checkbox', { name: `Seleccionar a ${name}` }).press('Space')
  await tools.getByRole('link', { name: 'Enviar a la selección' }).press('Enter')
  await expect(page.getByText('Para 2 contactos elegidos.')).toBeVisible()
  await page.getByText('pedido_listo').click()
  await expect(page.getByLabel('Números')).toHaveValue(/^\+\d{12,13}, \+\d{12,13}$/)
  await expectNoSidewaysScroll(page)
})

test('an open contact stands beside the list and follows the arrow keys, or takes its place', async ({
  page,
  org,
  another,
}) => {
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await org.until<{ items: unknown[] }>('/whatsapp/contacts', ({ items }) => items.length === 2)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.contacts(org.slug))
  const side = (name: string) => page.getByRole('region', { name })
  const link = (name: string) => rows(page).getByRole('link', { name })
  await link('Pedro Gil').press('Enter')
  await expect(side('Pedro Gil')).toContainText('+54 9 11 5501 0002')
  // A press before the page is hydrated loads it again, without a focus.
  await link('Pedro Gil').focus()
  await page.keyboard.press('ArrowDown')
  await expect(link('Lucía Méndez')).toBeFocused()
  await expect(side('Lucía Méndez')).toContainText('+54 9 11 5501 0001')
  await expect(rows(page)).toHaveCount(2)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await expectAxeRules(page, outlineRules)
  await picture(page, 'contacts-beside')
  await page.reload()
  await expect(side('Lucía Méndez')).toContainText('+54 9 11 5501 0001')
  await link('Pedro Gil').click()
  await expect(side('Pedro Gil')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.locator('.contact-pane')).toHaveCount(0)
  await expect(link('Pedro Gil')).toBeFocused()

  const phone = await another(org.owner, { viewport: { width: 390, height: 844 } })
  await phone.goto(paths.contacts(org.slug))
  await rows(phone).getByRole('link', { name: 'Pedro Gil' }).click()
  await expect(phone.getByRole('region', { name: 'Pedro Gil' })).toContainText('+54 9 11 5501 0002')
  await expect(rows(phone).first()).toBeHidden()
  await expectAccessible(phone)
  await expectNoSidewaysScroll(phone)
  await expectAxeRules(phone, outlineRules)
  await picture(phone, 'contacts-instead')
  await phone.getByRole('button', { name: 'Volver a los contactos' }).click()
  await expect(rows(phone)).toHaveCount(2)
  await expect(rows(phone).getByRole('link', { name: 'Pedro Gil' })).toBeFocused()
})

test('fields are columns of the table, which a person turns on and off for good', { tag: '@nightly' }, async ({
  page,
  org,
  another,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  const zone = await org.call<{ id: string }>('POST', '/whatsapp/contact-fields', {
    label: 'Zona',
    kind: 'text',
    options: [],
  })
  await org.until<{ items: unknown[] }>('/whatsapp/contacts', ({ items }) => items.length === 1)
  const fields = [{ id: zone.id, value: 'Villa Crespo' }]
  await org.call('PATCH', `/whatsapp/conversations/${lucia.phone}/contact`, { fields })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.contacts(org.slug))
  const head = page.getByRole('columnheader', { name: 'Zona' })
  await expect(head).toBeVisible()
  await expect(rows(page).first().getByRole('cell', { name: 'Villa Crespo' })).toBeVisible()
  await page.getByRole('button', { name: 'Columnas' }).press('Enter')
  const box = page.getByRole('checkbox', { name: 'Zona' })
  await expect(box).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Space')
  await expect(head).toHaveCount(0)
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await expect(head).toHaveCount(0)

  const phone = await another(org.owner, { viewport: { width: 390, height: 844 } })
  await phone.goto(paths.contacts(org.slug))
  await expect(rows(phone)).toHaveCount(1)
  await expect(phone.getByLabel('Etiqueta', { exact: true })).toBeHidden()
  await phone.getByRole('button', { name: 'Filtros' }).press('Enter')
  await expect(phone.getByLabel('Etiqueta', { exact: true })).toBeVisible()
  await expectAccessible(phone)
  await expectNoSidewaysScroll(phone)
})

test('all contacts that match are selected, changed part by part and written to', async ({ page, org }) => {
  const count = 120
  const csv = Array.from({ length: count }, (_, i) => `11 4444-${String(1000 + i)};Cliente ${i}`)
  await org.call('POST', '/whatsapp/tags', { label: 'Mayorista' })
  const imported = await org.call<{ id: string }>('POST', '/whatsapp/contact-imports', {
    file: 'clientes.csv',
    text: ['Celular;Cliente', ...csv].join('\r\n'),
    existing: 'keep',
  })
  await org.until<{ state: string }>(`/whatsapp/contact-imports/${imported.id}`, ({ state }) => state === 'done')
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await org.until<{ items: unknown[] }>('/whatsapp/contacts?search=Lucía', ({ items }) => items.length === 1)
  await page.goto(paths.stats(org.slug))
  await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Contactos' }).click()
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('searchbox', { name: 'Buscar por nombre' }).fill('cliente')
  await expect(page.getByText(`${count} contactos`, { exact: true })).toBeVisible()
  await expect(rows(page)).toHaveCount(50)
  await page.getByRole('checkbox', { name: 'Seleccionar los 50 que se ven' }).press('Space')
  await page.getByRole('button', { name: 'Seleccionar todos los que coinciden' }).press('Enter')
  const tools = page.getByRole('toolbar', { name: 'Contactos seleccionados' })
  await expect(tools).toContainText(`${count} seleccionados`)
  await rows(page).getByRole('checkbox').first().press('Space')
  await expect(tools).toContainText(`${count - 1} seleccionados`)
  await tools.getByRole('button', { name: 'Etiquetas' }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Buscar o crear una etiqueta' })).toBeFocused()
  await page.keyboard.type('Mayor')
  await page.keyboard.press('Enter')
  const done = page.getByText(`«Mayorista» en ${count - 1} contactos`)
  await expect(done).toBeVisible()
  // A message stays while the pointer is on it.
  await done.hover()
  await expectAccessible(page)
  await picture(page, 'contacts-all-matching')
  const tagged = async () =>
    (await org.call<{ items: { tagIds: string[] }[] }>('GET', '/whatsapp/contacts/matching')).items.filter(
      ({ tagIds }) => tagIds.length,
    ).length
  expect(await tagged()).toBe(count - 1)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText(`«Mayorista» quitada de ${count - 1} contactos`)).toBeVisible()
  expect(await tagged()).toBe(0)
  await tools.getByRole('button', { name: 'Enviar a la selección' }).press('Enter')
  await expect(page).toHaveURL(/\?draft=/)
  await page.getByText('pedido_listo').click()
  await expect(page.getByLabel('Números')).toHaveValue(new RegExp(`^(\\+\\d{12,13},?){${count - 1}}$`))
})
