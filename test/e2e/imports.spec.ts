import { randomBytes } from 'node:crypto'
import { paths } from '#shared/kernel/paths.ts'
import { chatwootTables } from '../fixtures/dumps/chatwoot.ts'
import { mysqlDump, postgresDump } from '../fixtures/dumps/plain.ts'
import { pictureName, whaticketTables } from '../fixtures/dumps/whaticket.ts'
import { zipOf } from '../helpers/zip-of.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Locator, picture, test } from './fixtures.ts'
import { grayPng } from './gray-png.ts'

const chat = [
  '[12/3/24, 10:15:02] Ana: Hola, ¿tienen torta de ricota?',
  '[12/3/24, 10:16:00] Panadería: Sí, de dos tamaños.',
  '[13/3/24, 11:00:00] Ana: Como esta \u200e<adjunto: foto.png>',
  '',
].join('\r\n')

test('a chat with a picture is imported, seen in its thread, and undone', async ({ page, org, site }) => {
  const file = 'Chat de WhatsApp con Ana.zip'
  await page.goto(site.url + paths.imports(org.slug))
  await page.getByLabel('Archivos exportados').setInputFiles({
    ...{ name: file, mimeType: 'application/zip' },
    buffer: await zipOf({ '_chat.txt': chat, 'foto.png': grayPng({ width: 300, height: 200 }) }),
  })
  const card = page.getByRole('region', { name: file })
  await expect(card).toContainText('3 mensajes')
  await expect(card.getByLabel('¿Quiénes son ustedes en este chat?')).toHaveValue('Panadería')
  await card.getByRole('button', { name: 'Importar 3 mensajes' }).click()
  const number = card.getByLabel('Número del cliente')
  await expect(number).toHaveAccessibleDescription(/Escribí el número/)
  await expect(number).toBeFocused()
  await number.fill('+54 9 11 5555-0303')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'import-found')
  await card.getByRole('button', { name: 'Importar 3 mensajes' }).click()
  await expect(card).toContainText('Entraron 3 mensajes')
  await expect(page.getByRole('listitem').and(page.locator(':focus'))).toContainText(file)
  await expectAccessible(page)
  await picture(page, 'import-done')

  await card.getByRole('link', { name: 'Ver el chat' }).click()
  await expect(page.getByText('Importado de WhatsApp por')).toBeVisible()
  await expect(page.getByText('Como esta')).toBeVisible()
  await expect(page.locator('.messages img').first()).toBeVisible()
  await picture(page, 'import-thread')

  await page.goto(site.url + paths.imports(org.slug))
  await card.getByRole('button', { name: /^Deshacer/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deshacer' }).click()
  await expect(card).toContainText('Deshecha')
  await expect(card.getByRole('link', { name: 'Ver el chat' })).toHaveCount(0)
})

test('an upload that finds no room says so, and goes on when the same file is chosen again', async ({
  page,
  org,
  site,
  complaints,
}) => {
  complaints.announce(/^413 PUT /)
  const file = {
    ...{ name: 'chat grande.zip', mimeType: 'application/zip' },
    buffer: await zipOf({ '_chat.txt': chat, 'video.mp4': randomBytes(9 * 1024 ** 2) }),
  }
  await page.goto(site.url + paths.imports(org.slug))
  const field = page.getByLabel('Archivos exportados')
  const ranges: string[] = []
  const message = 'No queda lugar para archivos.'
  await page.route('**/api/imports/*/file', route => {
    ranges.push(route.request().headers()['content-range'] ?? '')
    return ranges.length === 2
      ? route.fulfill({ status: 413, json: { statusCode: 413, code: 'MEDIA_NO_ROOM', message, requestId: '' } })
      : route.fallback()
  })
  await field.setInputFiles(file)
  await expect(page.getByText(`${message} Lo que llegó queda guardado`)).toBeVisible()
  const card = page.getByRole('region', { name: file.name })
  await expect(card).toContainText(/Llegaron 8 MB de 9/)
  await expectAccessible(page)

  await page.reload()
  await expect(card).toContainText(/Llegaron 8 MB de 9/)
  await field.setInputFiles(file)
  await expect(card).toContainText('Por confirmar')
  await expect(page.getByRole('listitem').and(page.locator(':focus'))).toContainText(file.name)
  expect(ranges).toHaveLength(3)
  expect(ranges[2], 'only what was missing is sent').toBe(ranges[1])
})

test('imports that nobody wants are discarded by keyboard, and the focus goes on', async ({ page, org, site }) => {
  await page.goto(site.url + paths.imports(org.slug))
  const bring = async (name: string, text: string) => {
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) }
    await page.getByLabel('Archivos exportados').setInputFiles(file)
    await expect(page.getByRole('region', { name }).getByRole('button', { name: 'Descartar' })).toBeVisible()
  }
  await bring('primero.txt', chat)
  await bring('segundo.txt', 'no es un chat')
  await bring('tercero.txt', chat)
  const [first, second, third] = ['primero.txt', 'segundo.txt', 'tercero.txt'].map(name =>
    page.getByRole('region', { name }),
  ) as [Locator, Locator, Locator]
  const focused = page.getByRole('listitem').and(page.locator(':focus'))

  await expect(second).toContainText('No se importó')
  await second.getByRole('button', { name: 'Descartar' }).focus()
  await page.keyboard.press('Enter')
  await expect(second).toHaveCount(0)
  await expect(focused).toContainText('primero.txt')

  await third.getByRole('button', { name: 'Descartar' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '¿Descartar la importación?' })
  await expect(dialog).toContainText('volver a subirlo')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Descartar' }).focus()
  await page.keyboard.press('Enter')
  await expect(third).toHaveCount(0)
  await expect(focused).toContainText('primero.txt')
  await page.reload()
  await expect(first).toBeVisible()
  await expect(third).toHaveCount(0)
})

test('an archive of another organization is looked through, mapped, imported and compared', async ({
  page,
  org,
  site,
}) => {
  const manifest = { format: 'recado', version: 1, madeAt: '2026-11-29T10:00:00.000Z' }
  const one = (id: string, direction: string, text: string) => ({
    ...{ id, conversation: 'v', wamid: null, at: `2025-03-01T10:0${id}:00.000Z`, direction, type: 'text', text },
    ...{ content: null, status: direction === 'in' ? 'received' : 'read', reactions: [] },
    author: direction === 'in' ? null : { kind: 'person', id: 'u', name: 'Marta' },
  })
  const lines = (...all: object[]) => all.map(one => `${JSON.stringify(one)}\n`).join('')
  const file = 'panaderia.zip'
  await page.goto(site.url + paths.imports(org.slug))
  const other = page.getByLabel('Otro Recado')
  await other.click()
  await expect(other).toBeChecked()
  await page.getByLabel('Archivos exportados').setInputFiles({
    ...{ name: file, mimeType: 'application/zip' },
    buffer: await zipOf({
      'archive.json': JSON.stringify({ ...manifest, organization: { id: 'o', name: 'Panadería vieja' } }),
      'records/numbers-001.jsonl': lines({ id: 'n', phone: '5491170000000' }),
      'records/people-001.jsonl': lines({ id: 'u', name: 'Marta', email: 'marta@example.com' }),
      'records/tags-001.jsonl': lines({ label: 'Mayorista', hue: 1 }),
      'records/contacts-001.jsonl': lines({
        ...{ id: 'c', name: 'Ana Importada', waId: '5491155550909', tags: ['Mayorista'], fields: [] },
      }),
      'records/conversations-001.jsonl': lines({ id: 'v', contact: 'c', number: 'n' }),
      'records/messages-001.jsonl': lines(one('1', 'in', '¿Abren el lunes?'), one('2', 'out', 'Sí, desde las ocho')),
    }),
  })
  const card = page.getByRole('region', { name: file })
  await expect(card).toContainText('Panadería vieja')
  await expect(card).toContainText('Mensajes2')
  await expect(card).toContainText('¿Abren el lunes?')
  await expect(card.getByLabel('+5491170000000')).not.toHaveValue('')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'import-archive-found')
  await card.getByRole('button', { name: 'Importar', exact: true }).click()
  await expect(card).toContainText('Entraron 2 mensajes')
  await card.getByText('Chat por chat').click()
  await expect(card.getByRole('row', { name: /Ana Importada/ })).toContainText('Coinciden')
  await expectAccessible(page)
  await picture(page, 'import-archive-done')
  await card.getByRole('link', { name: 'Ana Importada' }).click()
  await expect(page.getByText('Importado de otro Recado por')).toBeVisible()
  await expect(page.getByText('Sí, desde las ocho')).toBeVisible()
})

test('a dump of Chatwoot is looked through, another account is chosen and left again, and it comes in', async ({
  page,
  org,
  site,
}) => {
  const file = 'chatwoot.sql'
  await page.goto(site.url + paths.imports(org.slug))
  const chatwoot = page.getByRole('radio', { name: /^Chatwoot/ })
  await chatwoot.click()
  await expect(chatwoot).toBeChecked()
  await page.getByLabel('Archivos exportados').setInputFiles({
    ...{ name: file, mimeType: 'application/sql', buffer: Buffer.from(postgresDump(chatwootTables())) },
  })
  const card = page.getByRole('region', { name: file })
  await expect(card).toContainText('Mensajes64')
  const account = card.getByLabel('¿Qué cuenta traés?')
  await account.selectOption('Librería, 1 chat')
  await expect(card).toContainText('Mensajes1El')
  await expect(account).toHaveValue('2')
  await account.selectOption('Panadería Don Luis, 9 chats')
  await expect(card).toContainText('Mensajes64')
  await expect(card.getByLabel(/^WhatsApp Ventas/)).not.toHaveValue('')
  await expect(card.getByText('Es un aviso del programa, no un mensaje')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'import-chatwoot-found')
  await card.getByRole('button', { name: 'Importar', exact: true }).click()
  await expect(card).toContainText('Entraron 64 mensajes')
  await card.getByText('Chat por chat').click()
  await expect(card.getByRole('row', { name: /Persona 1/ })).toContainText('Coinciden')
  await card.getByRole('link', { name: 'Persona 1' }).click()
  await expect(page.getByText('Importado de Chatwoot por')).toBeVisible()
  await expect(page.getByText('Otra vez')).toBeVisible()
})

test('a dump of Whaticket in a zip with its files comes in', { tag: '@nightly' }, async ({ page, org, site }) => {
  const file = 'whaticket.zip'
  await page.goto(site.url + paths.imports(org.slug))
  const whaticket = page.getByLabel('Whaticket')
  await whaticket.click()
  await expect(whaticket).toBeChecked()
  await page.getByLabel('Archivos exportados').setInputFiles({
    ...{ name: file, mimeType: 'application/zip' },
    buffer: await zipOf({
      'whaticket.sql': mysqlDump(whaticketTables()),
      [`public/${pictureName}`]: grayPng({ width: 300, height: 200 }),
    }),
  })
  const card = page.getByRole('region', { name: file })
  await expect(card).toContainText('Mensajes55')
  await expect(card.getByLabel(/^Ventas/)).not.toHaveValue('')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'import-whaticket-found')
  await card.getByRole('button', { name: 'Importar', exact: true }).click()
  await expect(card).toContainText('Entraron 55 mensajes')
  await card.getByText('Chat por chat').click()
  await card.getByRole('link', { name: 'Persona 1' }).click()
  await expect(page.getByText('Importado de Whaticket por')).toBeVisible()
  await expect(page.locator('.messages img').first()).toBeVisible()
})
