import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'

const be = async (page: Page, state: RegExp) => {
  await page.locator('.side-account').click()
  await page.getByRole('menuitemradio', { name: state }).click()
}
const row = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Conversaciones' }).getByRole('link', { name })

test('a waiting conversation is assigned to a present member, not to one who is away', async ({
  page,
  org,
  another,
  openInbox,
  complaints,
}) => {
  complaints.announce(/^400 PUT .*assignment-rules/, /^400 PATCH .*settings/)
  const marta = await another(await org.colleague('Marta'))
  await openInbox(marta)
  await page.goto(paths.settingsOf(org.slug, 'attention'))
  const card = page.getByRole('region', { name: 'Asignación' })
  await card.getByLabel('A quién va').selectOption('Por turno')
  await card.getByRole('checkbox', { name: /Limitar/ }).check()
  await card.getByLabel('Abiertas como máximo').fill('0')
  const promise = page.getByLabel('Primera respuesta prometida, en minutos')
  await promise.fill('pronto')
  const save = page.getByRole('button', { name: 'Guardar' })
  await expect(save).toHaveCount(1)
  await save.click()
  await expect(card.getByRole('alert')).toBeVisible()
  const refused = page.getByText('Escribí un número entero de minutos')
  await expect(refused).toBeVisible()
  await promise.fill('')
  await expect(refused).toHaveCount(0)
  await card.getByLabel('Abiertas como máximo').fill('1')
  await save.click()
  await expect(page.getByText('Guardado')).toBeVisible()
  await card.scrollIntoViewIfNeeded()
  await expectAccessible(page)
  await expect(card.getByLabel('A quién va')).toHaveValue('turn')
  await expect(card.getByRole('checkbox', { name: /Limitar/ })).toBeChecked()
  await expect(card.getByRole('checkbox', { name: /responde primero/ })).toBeChecked()
  await picture(page, 'assignment')
  await page.setViewportSize({ width: 390, height: 844 })
  await card.scrollIntoViewIfNeeded()
  await expectNoSidewaysScroll(page)
  await picture(page, 'assignment-390')
  await page.setViewportSize({ width: 1280, height: 720 })

  await openInbox(page)
  await be(page, /Ausente/)
  await expect(page.locator('.side-two', { hasText: 'Ausente' })).toBeVisible()
  await picture(page, 'away')
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await expect(row(page, 'Lucía Méndez')).toContainText('Marta')
  await expect(row(marta, 'Lucía Méndez')).toContainText('Vos')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await expect(row(page, 'Pedro Gil')).toContainText('Necesita persona')
  // Marta has reached her limit and is notified; the member who is away is not.
  await expect(marta.getByText('Pedro Gil espera una respuesta')).toBeVisible()
  await expect(page.getByText('Pedro Gil espera una respuesta')).toHaveCount(0)

  await be(page, /Disponible/)
  await expect(row(page, 'Pedro Gil')).toContainText('Vos')
  await row(page, 'Pedro Gil').click()
  await expect(page.getByText(/^Asignada a vos por/)).toBeVisible()
  await page.getByRole('button', { name: /^Asignada a/ }).click()
  const menu = page.getByRole('dialog', { name: 'Asignar la conversación' })
  await menu.getByLabel('Nota para quien la recibe (opcional)').fill('Quiere factura A')
  await expectAccessible(page)
  await picture(page, 'assign-note')
  await menu.getByRole('option', { name: /Marta/ }).click()
  await expect(row(marta, 'Pedro Gil')).toContainText('Vos')
  await expect(page.getByText('Quiere factura A').last()).toBeVisible()
})
