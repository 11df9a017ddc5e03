import type { Route } from 'playwright/test'
import { mediaSample } from '#server/simulator/media/samples.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  intercept,
  type Org,
  type Page,
  picture,
  test,
} from './fixtures.ts'

const sendCall = '**/api/whatsapp/messages'
const ours = (page: Page) => page.getByRole('article', { name: 'Mensaje nuestro' })
const dialog = (page: Page) => page.getByRole('dialog', { name: /^Enviar a/ })
const field = (page: Page) => page.getByRole('textbox', { name: /^Mensaje para/ })

const photo = { name: 'torta.png', mimeType: 'image/png', buffer: mediaSample('image').bytes }
const list = { name: 'precios.txt', mimeType: 'text/plain', buffer: Buffer.from('medialuna 900') }
const program = { name: 'virus.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') }

const choose = async (page: Page, files: (typeof photo)[]) => {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Adjuntar archivos' }).click()
  await (await chooser).setFiles(files)
}

/** The messages of these kinds that the customer's phone got, with their captions. */
const phoneGot = (org: Org, phone: string, kinds: string[]) =>
  org.until<{ items: { type: string }[] }>(`/sandbox/outbox?to=${phone}`, ({ items }) =>
    kinds.every(kind => items.some(({ type }) => type === kind)),
  )

const paste = (page: Page) =>
  field(page).evaluate((element, base64) => {
    const bytes = Uint8Array.from(atob(base64), char => char.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, photo.buffer.toString('base64'))

test('files are chosen, previewed, captioned and sent, and the customer gets them', async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Me mandás la torta y los precios?')
  await openInbox(page, lucia.phone)
  await choose(page, [photo, program, list])
  const sheet = dialog(page)
  await expect(sheet.getByText('WhatsApp no acepta este tipo de archivo.')).toBeVisible()
  const send = sheet.getByRole('button', { name: /^Enviar/ })
  await expect(send).toBeDisabled()
  await expectAccessible(page)
  await picture(page, 'one cannot be sent')
  await sheet.getByRole('button', { name: 'Quitar virus.exe' }).click()
  const words = sheet.getByRole('textbox', { name: 'Texto para torta.png' })
  await expect(words).toBeFocused()
  await words.fill('Así quedó')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'narrow')
  await page.setViewportSize({ width: 1280, height: 720 })
  await words.press('Enter')
  await expect(sheet).toHaveCount(0)
  await expect(ours(page)).toHaveCount(2)
  await expect(ours(page).getByRole('img', { name: 'Así quedó' })).toBeVisible()
  await expect(ours(page).getByRole('link', { name: /precios\.txt/ })).toBeVisible()
  await phoneGot(org, lucia.phone, ['image', 'document'])
  await expect(ours(page).getByLabel('Leído')).toHaveCount(2)
  await expect(page.getByRole('link', { name: /Lucía Méndez/ })).toContainText('precios.txt')
  await expectAccessible(page)
  await picture(page, 'sent')
})

test('a pasted image that cannot be sent says so, can be retried, and can be discarded', async ({
  page,
  org,
  openInbox,
  complaints,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  complaints.announce(/ERR_FAILED/)
  await intercept(page, sendCall, route => route.abort())
  await paste(page)
  await dialog(page)
    .getByRole('button', { name: /^Enviar/ })
    .click()
  await expect(page.getByText('No se pudo subir: se cortó la conexión. El archivo sigue acá.')).toBeVisible()
  await expect(ours(page).getByRole('img', { name: 'Foto' })).toBeVisible()
  await picture(page, 'not uploaded')
  await page.unroute(sendCall)
  // No response: the upload lasts until it is cancelled.
  const held: Route[] = []
  await intercept(page, sendCall, route => void held.push(route))
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await expect(page.getByRole('progressbar', { name: 'Subiendo el archivo' })).toBeVisible()
  await picture(page, 'uploading')
  await page.getByRole('button', { name: 'Cancelar' }).click()
  await expect(ours(page)).toHaveCount(0)
  // Without this the browser may send what it held when interception ends, if it has not seen the cancellation yet.
  for (const route of held) await route.abort().catch(() => undefined)
  await page.unroute(sendCall)
  await paste(page)
  await dialog(page)
    .getByRole('button', { name: /^Enviar/ })
    .click()
  await phoneGot(org, lucia.phone, ['image'])
  await expect(ours(page)).toHaveCount(1)
})
