import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('what became of an answer is a press away, with its times and its calls', async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await page.getByRole('textbox', { name: /^Mensaje para/ }).fill('Ya sale')
  await page.keyboard.press('Enter')
  const ours = page.getByRole('article', { name: 'Mensaje nuestro' })
  await expect(ours.getByLabel(/Leído|Entregado/)).toBeVisible({ timeout: 20_000 })
  await ours.hover()
  const open = page.getByRole('button', { name: 'Información' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Información del mensaje' })
  await expect(dialog.getByText(/^Lo escribió /)).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Intentos' })).toContainText('WhatsApp lo recibió')
  await expect(dialog.getByRole('definition').nth(1).getByRole('time')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'message-info')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(open).toBeFocused()
  await page.setViewportSize({ width: 390, height: 844 })
  await ours.hover()
  await open.click()
  await expect(dialog.getByRole('region', { name: 'Intentos' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await picture(page, 'message-info-390')
})

test('the words of a message are copied, ours and theirs; one without words has nothing to copy', async ({
  page,
  context,
  org,
  openInbox,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Av. Santa Fe *1100*, 2.º B')
  await lucia.does({ type: 'sticker' })
  await openInbox(page, lucia.phone)
  const said = page.locator('.said')
  await said.first().hover()
  await said.first().getByRole('button', { name: 'Copiar' }).click()
  await expect(page.getByText('Copiado al portapapeles')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Av. Santa Fe *1100*, 2.º B')
  await said.nth(1).hover()
  await expect(said.nth(1).getByRole('button', { name: 'Responder' })).toHaveCount(1)
  await expect(said.nth(1).getByRole('button', { name: 'Copiar' })).toHaveCount(0)
})
