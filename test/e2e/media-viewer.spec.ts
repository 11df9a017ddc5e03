import { sampleOf } from '#server/whatsapp/sandbox/samples.ts'
import { expect, expectAccessible, type Org, type Page, picture, test } from './fixtures.ts'

const viewer = (page: Page) => page.getByRole('dialog', { name: 'Fotos y videos' })

/** Two photos that a person sent, one after the other. */
const twoPhotos = async (page: Page, org: Org, openInbox: (page?: Page, phone?: string) => Promise<void>) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Me mandás las tortas?')
  await openInbox(page, lucia.phone)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Adjuntar archivos' }).click()
  const { bytes: buffer } = sampleOf('image')
  await (await chooser).setFiles([
    { name: 'uno.png', mimeType: 'image/png', buffer },
    { name: 'dos.png', mimeType: 'image/png', buffer },
  ])
  const sheet = page.getByRole('dialog', { name: /^Enviar a/ })
  await sheet.getByRole('textbox', { name: 'Texto para uno.png' }).fill('La de chocolate')
  await sheet.getByRole('button', { name: /^Enviar/ }).click()
  const photos = page.getByRole('link', { name: 'Ver en grande' })
  await expect(photos).toHaveCount(2)
  // Until it is stored, a picture lies in this browser alone.
  for (const photo of await photos.all()) await expect(photo).toHaveAttribute('href', /^\/api\/whatsapp\/media\//)
  return photos
}

test('a photo opens over the chat; arrows go on, keys zoom, Escape gives the focus back', async ({
  page,
  org,
  openInbox,
}) => {
  const photos = await twoPhotos(page, org, openInbox)
  await photos.first().focus()
  await page.keyboard.press('Enter')
  await expect(viewer(page)).toBeVisible()
  const shown = viewer(page).locator('.yarl__slide_current img')
  await expect(shown).toHaveAttribute('alt', 'La de chocolate')
  await expect(viewer(page)).toContainText('La de chocolate')
  await expect(viewer(page).getByRole('button', { name: 'Descargar' })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'media viewer')
  await page.keyboard.press('ArrowRight')
  await expect(shown).toHaveAttribute('alt', 'Foto')
  await page.keyboard.press('+')
  await expect(viewer(page).getByRole('button', { name: 'Alejar' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
  await expect(photos.first()).toBeFocused()
})

test('with the key for another tab it opens there', async ({ page, org, openInbox }) => {
  const photos = await twoPhotos(page, org, openInbox)
  const opened = page.context().waitForEvent('page')
  await photos.first().click({ modifiers: ['ControlOrMeta'] })
  const tab = await opened
  await expect(viewer(page)).toHaveCount(0)
  await tab.close()
})

test('from the files of a contact, over their panel, which stays', async ({ page, org, openInbox }) => {
  await twoPhotos(page, org, openInbox)
  await page.getByTitle('Ver contacto').click()
  const panel = page.getByRole('dialog', { name: /Lucía/ })
  const photo = panel.locator('.gallery-picture').first()
  await photo.click()
  await expect(viewer(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
  await expect(panel).toBeVisible()
  await expect(photo).toBeFocused()
})

test('a photo is sent on with its words, as a file of its own', async ({ page, org, openInbox }) => {
  const bruno = org.customer(2, 'Bruno Paz')
  await bruno.says('¿La de chocolate cómo es?')
  await twoPhotos(page, org, openInbox)
  const sent = page.locator('.said', { hasText: 'La de chocolate' })
  await sent.hover()
  await sent.getByRole('button', { name: 'Reenviar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reenviar mensaje' })
  await dialog.getByRole('option', { name: /Bruno Paz/ }).click()
  await dialog.getByRole('button', { name: 'Reenviar a 1 chat' }).click()
  await expect(dialog).toHaveCount(0)
  await page
    .getByRole('navigation', { name: 'Conversaciones' })
    .getByRole('link', { name: /Bruno Paz/ })
    .click()
  await expect(page.getByRole('article').last()).toContainText('La de chocolate')
  await expect(page.getByRole('link', { name: 'Ver en grande' })).toHaveAttribute('href', /^\/api\/whatsapp\/media\//)
  await expect(
    page
      .getByRole('article')
      .last()
      .getByLabel(/Entregado|Leído/),
  ).toBeVisible()
})

test('a PDF is looked at in the page, by keyboard alone, and Escape gives the focus back', async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.does({ type: 'document', filename: 'pedido.pdf' })
  await openInbox(page, lucia.phone)
  const look = page.getByRole('button', { name: 'Ver acá' })
  await look.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'pedido.pdf' })
  await expect(dialog.locator('iframe')).toHaveAttribute('src', /^\/api\/whatsapp\/media\/[^#]+#page=1/)
  await expect.poll(() => page.frames().some(frame => frame.url().includes('/api/whatsapp/media/'))).toBe(true)
  await picture(page, 'a pdf in the page')
  await expect(dialog.getByRole('link', { name: 'Descargar' })).toHaveAttribute('download', 'pedido.pdf')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(look).toBeFocused()
})
