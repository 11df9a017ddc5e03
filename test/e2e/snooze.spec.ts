import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'

const rows = (page: Page) => page.getByRole('navigation', { name: /Conversaciones|Conversations/ }).getByRole('link')
const keyed = async (page: Page, key: string) => {
  // A letter within a second of typing belongs to a word.
  await page.waitForTimeout(1100)
  await page.keyboard.press(key)
}

test('a chat is snoozed by key, found among the snoozed ones, and comes back when the customer writes', async ({
  page,
  org,
  another,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await lucia.says('¿Me lo guardan?')
  const marta = await another(await org.colleague('Marta Ríos'))
  await openInbox(marta)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openInbox(page)
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' })).toBeVisible()
  await page.keyboard.press('Escape')
  await keyed(page, 'h')
  const menu = page.getByRole('dialog', { name: 'Recordarme' })
  await expect(menu.getByRole('button', { name: /^(Hoy, más tarde|Mañana)/ }).first()).toBeFocused()
  await expect(menu).toContainText('La ventana se cierra')
  await expectAccessible(page)
  await picture(page, 'snooze-menu')
  await menu.getByRole('button', { name: /^Mañana/ }).press('Enter')
  await expect(menu).toHaveCount(0)
  await expect(page.getByRole('complementary', { name: 'Recordarme' })).toContainText('Vuelve mañana 09:00')
  await expect(page.locator('.messages').getByText(/^La aplazaste hasta el/)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(marta), 'other pages follow').toHaveCount(1)
  await expectAccessible(page)

  await page.getByRole('button', { name: /^Aplazadas/ }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).first()).toContainText('Vuelve mañana 09:00')
  await picture(page, 'snoozed')
  await lucia.says('¿Y?')
  await expect(page.getByText('No hay conversaciones aplazadas.')).toBeVisible()
  await expect(rows(marta)).toHaveCount(2)
  await expect(page.getByRole('complementary', { name: 'Recordarme' })).toHaveCount(0)
})

test('a date is chosen, changed and taken back; on a phone nothing scrolls sideways; in English', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Me lo guardan?')
  await page.setViewportSize({ width: 390, height: 844 })
  await openInbox(page, lucia.phone)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Recordarme' }).click()
  const menu = page.getByRole('dialog', { name: 'Recordarme' })
  await menu.getByRole('button', { name: /^Elegir día y hora/ }).click()
  const date = menu.getByLabel('Día', { exact: true })
  await date.fill('2020-01-01T10:00')
  await menu.getByRole('button', { name: 'Aplazar' }).click()
  await expect(menu.getByText('Elegí un momento que no haya pasado.')).toBeVisible()
  const typed = menu.getByRole('textbox', { name: /^Por ejemplo/ })
  await typed.fill('algún día')
  await typed.press('Enter')
  await expect(menu.getByText('No se entiende.')).toBeVisible()
  await typed.fill('mañana 15:30')
  await expect(menu.getByRole('status')).toHaveText('Vuelve mañana 15:30')
  await expect(menu.getByLabel('Hora: Día')).toHaveValue('15:30')
  await expectNoSidewaysScroll(page)
  const box = await menu.boundingBox()
  expect([box?.x, box?.width, Math.round((box?.y ?? 0) + (box?.height ?? 0))], 'a sheet at the end').toEqual([
    0, 390, 844,
  ])
  await picture(page, 'snooze-date-390')
  await page.keyboard.press('Escape')
  await page.goto(`${page.url().split('?')[0]}?lng=en`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Snooze' }).click()
  const english = page.getByRole('dialog', { name: 'Snooze' })
  await expect(english).toContainText("If they don't answer within")
  await english.getByRole('button', { name: '1 day' }).click()
  const bar = page.getByRole('complementary', { name: 'Snooze' })
  await expect(bar).toContainText("if they don't answer")
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Bring back now' }).click()
  await expect(bar).toHaveCount(0)
  await expect(page.getByText('Brought back by you')).toBeVisible()
})
