import { paths } from '#shared/kernel/paths.ts'
import { zipOf } from '../helpers/zip-of.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
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
  await page.getByLabel('Archivos exportados por WhatsApp').setInputFiles({
    ...{ name: file, mimeType: 'application/zip' },
    buffer: await zipOf({ '_chat.txt': chat, 'foto.png': grayPng({ width: 300, height: 200 }) }),
  })
  const card = page.getByRole('region', { name: file })
  await expect(card).toContainText('3 mensajes')
  await expect(card.getByLabel('¿Quiénes son ustedes en este chat?')).toHaveValue('Panadería')
  await card.getByLabel('Número del cliente').fill('+54 9 11 5555-0303')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'import-found')
  await card.getByRole('button', { name: 'Importar 3 mensajes' }).click()
  await expect(card).toContainText('Entraron 3 mensajes')
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
