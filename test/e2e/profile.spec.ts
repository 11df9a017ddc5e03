import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a picture and a signature are set, and messages to customers end with the signature', async ({
  page,
  org,
  openInbox,
}) => {
  await page.goto(paths.settingsOf(org.slug, 'profile'))
  await page.getByLabel('Foto').setInputFiles({ name: 'ana.png', mimeType: 'image/png', buffer: png })
  await expect(page.getByText('Guardado')).toBeVisible()
  await expect(page.locator('.side-account img')).toHaveAttribute('src', /^\/pictures\//)
  await page.reload()
  await expect(page.locator('.side-account img')).toHaveAttribute('src', /^\/pictures\//)
  await page.getByRole('button', { name: 'Quitar' }).click()
  await expect(page.locator('.side-account img')).toHaveCount(0)

  const signature = page.getByLabel('Firma')
  await signature.fill('— Ana, de la panadería')
  await expect(page.getByText('22 de 120 caracteres.')).toBeVisible()
  await signature.locator('xpath=ancestor::form').getByRole('button', { name: 'Guardar' }).click()
  await expect(signature.locator('xpath=ancestor::form').getByRole('button', { name: 'Guardar' })).toBeDisabled()
  await expectAccessible(page)
  await picture(page, 'profile')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'profile-390')
  await page.setViewportSize({ width: 1440, height: 900 })

  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  const field = page.getByRole('textbox', { name: /^Mensaje para/ })
  await expect(page.locator('.composer-signature')).toHaveCount(0)
  await field.fill('Ya sale')
  await expect(page.locator('.composer-signature')).toHaveText('— Ana, de la panadería')
  await picture(page, 'composer-signature')
  await field.press('Enter')
  await expect(page.getByRole('article', { name: 'Mensaje nuestro' })).toContainText('— Ana, de la panadería')
  await expect.poll(() => org.received(lucia.phone)).toEqual(['Ya sale\n\n— Ana, de la panadería'])
})

test('single-key shortcuts are disabled in the profile, and letters then do nothing', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
  await lucia.says('Hola')
  await pedro.says('Buenas')
  const rows = page.locator('.rows a.row')
  await openInbox(page)
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('j')
  await expect(rows.first()).toBeFocused()

  await page.goto(paths.settingsOf(org.slug, 'profile'))
  const toggle = page.getByRole('switch', { name: 'Atajos de una sola tecla' })
  await expect(toggle).toBeChecked()
  await toggle.press('Space')
  // The browser shows a press at once, the page once it has heard of it.
  await expect(toggle).toHaveAttribute('aria-checked', 'false')
  await page.reload()
  await expect(toggle).not.toBeChecked()

  await openInbox(page)
  await expect(rows).toHaveCount(2)
  await rows.first().focus()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('e')
  await expect(rows.first()).toBeFocused()
  await expect(rows).toHaveCount(2)
  await expect(page.getByRole('toolbar')).toHaveCount(0)
})
