import { paths } from '#shared/kernel/paths.ts'
import { red } from './bell.ts'
import { expect, expectAccessible, picture, test } from './fixtures.ts'

test('a customer who waits is told on the page, and the toast leads to the chat', async ({ page, org, openInbox }) => {
  await openInbox()
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  const toast = page.getByText('Lucía Méndez espera una respuesta')
  await expect(toast).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'toast')
  await page.getByRole('button', { name: 'ir al chat' }).click()
  await expect(page).toHaveURL(paths.chat(org.slug, lucia.phone))
  await expect(page.getByRole('heading', { name: 'Lucía Méndez' })).toBeVisible()
  await expect(toast).toHaveCount(0)
})

test('each hears it in their own language, who wants silence hears nothing, and when a colleague answers it goes', {
  tag: '@nightly',
}, async ({ page, org, another, openInbox }) => {
  const marta = await org.colleague('Marta Ríos')
  const colleague = await another(marta, { locale: 'en-GB' })
  const silent = await org.colleague('Beto Paz')
  await org.call('PATCH', '/notify/settings', { muted: true }, silent)
  const beto = await another(silent)
  await openInbox()
  await openInbox(colleague)
  await openInbox(beto)
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  const toast = page.getByText('Lucía Méndez espera una respuesta')
  const english = colleague.getByText('Lucía Méndez is waiting for an answer')
  await expect(toast).toBeVisible()
  await expect(english).toBeVisible()
  await expect(red(beto), 'it is in the bell all the same').toHaveText('1')
  await expect(beto.getByRole('link', { name: /Lucía Méndez/ })).toBeVisible()
  await expect(beto.locator('.notistack-Snackbar')).toHaveCount(0)
  await colleague.getByRole('button', { name: 'go to chat' }).click()
  const field = colleague.getByRole('textbox', { name: /Lucía Méndez/ })
  await field.fill('Yo la atiendo')
  await field.press('Enter')
  await expect(toast).toHaveCount(0)
  await expect(english).toHaveCount(0)
  await expect(page.getByRole('link', { name: /Lucía Méndez/ })).toContainText('Yo la atiendo')
})

test('who has the chat open is not told what they see', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  const pedro = org.customer(2, 'Pedro Gil')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await page.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' }).fill('¿Qué tal?')
  await page.keyboard.press('Enter')
  // WhatsApp counts whole seconds: an answer within the same one would stand before ours.
  await expect(
    page
      .getByRole('article')
      .last()
      .getByLabel(/Entregado|Leído/),
  ).toBeVisible({ timeout: 20_000 })
  await lucia.says('Necesito ayuda')
  await expect(page.getByRole('article').last()).toContainText('Necesito ayuda')
  await pedro.says('Buenas')
  await expect(page.getByText('Pedro Gil espera una respuesta')).toBeVisible()
  await expect(page.getByText('Lucía Méndez espera una respuesta')).toHaveCount(0)
  // The toast stays for two minutes and lies on nothing that is needed meanwhile.
  await page.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' }).fill('Ya te ayudo')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(page.getByRole('article').last()).toContainText('Ya te ayudo')
})
