import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'

const composer = (page: Page) => page.getByRole('textbox', { name: /^Mensaje para/ })
const row = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Conversaciones' }).getByRole('link', { name })

test('a draft started on one device appears on the other, and disappears from both once it is sent', async ({
  page,
  org,
  another,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Cuándo está el pedido?')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await openInbox(page, lucia.phone)
  const elsewhere = await another(org.owner)
  await openInbox(elsewhere)
  await composer(page).fill('Tu pedido está')
  await expect(row(elsewhere, 'Lucía Méndez')).toContainText('Borrador: Tu pedido está')
  await elsewhere.reload()
  await row(elsewhere, 'Lucía Méndez').click()
  await expect(composer(elsewhere)).toHaveValue('Tu pedido está')
  await composer(elsewhere).pressSequentially(' listo')
  await expect(composer(page)).toHaveValue('Tu pedido está listo')
  await composer(page).press('Enter')
  await expect(page.getByRole('article').filter({ hasText: 'Tu pedido está listo' })).toBeVisible()
  await expect(composer(elsewhere)).toHaveValue('')
})

test('a colleague sees that an answer was started, and continues it', { tag: '@nightly' }, async ({
  page,
  org,
  another,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Cuándo está el pedido?')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  const marta = await another(await org.colleague('Marta'))
  await openInbox(marta, lucia.phone)
  await openInbox(page)
  await composer(marta).fill('Tu pedido sale mañana a la mañana')
  await expect(row(page, 'Lucía Méndez').getByRole('img', { name: /Borrador de Marta/ })).toBeVisible()
  await expect(row(page, 'Lucía Méndez')).toContainText('¿Cuándo está el pedido?')
  // Leaving the conversation ends typing.
  await marta.getByRole('link', { name: /Pedro Gil/ }).click()
  await row(page, 'Lucía Méndez').click()
  const line = page.getByRole('region', { name: /Borrador de Marta/ })
  await expect(line).toContainText('Tu pedido sale mañana a la mañana')
  await expectAccessible(page)
  await picture(page, 'draft-line')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'draft-line-390')
  await composer(page).fill('Hola Lucía:')
  await line.getByRole('button', { name: 'Seguir con este' }).click()
  await expect(composer(page)).toHaveValue('Hola Lucía:\nTu pedido sale mañana a la mañana')
  await expect(line).toHaveCount(0)
  await expect(marta.getByText(/siguió con tu borrador/)).toBeVisible()
  await expect(row(marta, 'Lucía Méndez')).not.toContainText('Borrador: Tu pedido')
  await expect(row(marta, 'Lucía Méndez').getByRole('img', { name: /Borrador de/ })).toBeVisible()
})
