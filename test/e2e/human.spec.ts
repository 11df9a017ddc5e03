import { paths } from '#shared/kernel/paths.ts'
import { red } from './bell.ts'
import { expect, expectAccessible, picture, test } from './fixtures.ts'

test('a waiting customer is announced on the page, and the toast links to the conversation', async ({
  page,
  org,
  openInbox,
}) => {
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

test('members are notified in their own language, muted ones are not, and a colleague’s answer removes the toast', {
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
  const english = colleague.getByText('Lucía Méndez is waiting for a reply')
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

test('a member with the conversation open gets no toast', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  const pedro = org.customer(2, 'Pedro Gil')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await page.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' }).fill('¿Qué tal?')
  await page.keyboard.press('Enter')
  // WhatsApp's timestamps have whole seconds: an answer in the same second would be placed before our message.
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
  // The toast stays for two minutes and covers no control that is needed meanwhile.
  await page.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' }).fill('Ya te ayudo')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(page.getByRole('article').last()).toContainText('Ya te ayudo')
})
