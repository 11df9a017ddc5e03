import type { Conversation } from '#shared/inbox/conversations.ts'
import { paths } from '#shared/kernel/paths.ts'
import { expect, type Page, test } from './fixtures.ts'

const list = (page: Page) => page.getByRole('navigation', { name: 'Conversaciones' })
const rows = (page: Page) => list(page).getByRole('link')
const keyed = async (page: Page, key: string) => {
  await page.waitForTimeout(1100)
  await page.keyboard.press(key)
}

test('the key e archives and goes on to the next chat; Escape ends a selection; a link keeps the list at its chat', async ({
  page,
  org,
  openInbox,
}) => {
  test.slow()
  for (let n = 1; n <= 45; n++) await org.customer(n, `Cliente ${n}`).says('Hola')
  await page.setViewportSize({ width: 1440, height: 900 })
  await openInbox(page)
  await expect(rows(page).first()).toContainText('Cliente 45')

  // The list keeps the focus, and the next chat is open.
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Mensaje para Cliente 45' })).toBeFocused()
  await expect(page.getByText('Acá empieza la conversación')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rows(page).first()).toBeFocused()
  // Without the focus of the window, time alone marks no chat as read.
  await page.evaluate(() => {
    document.hasFocus = () => false
    window.dispatchEvent(new Event('blur'))
  })
  await keyed(page, 'e')
  await expect(page.getByText('Conversación archivada')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Cliente 44' })).toBeVisible()
  await expect(rows(page).first()).toContainText('Cliente 44')
  await expect(rows(page).first()).toBeFocused()
  await keyed(page, 'e')
  await expect(page.getByRole('heading', { name: 'Cliente 43' })).toBeVisible()
  await expect(rows(page).first()).toBeFocused()
  // Both opened by themselves. The first was archived unseen, the second is read once somebody acts in it.
  const unreadOf = async (n: number) =>
    (await org.call<Conversation>('GET', `/whatsapp/conversations/${org.customer(n).phone}`)).unread
  expect(await unreadOf(44)).toBe(1)
  await expect(rows(page).first().getByRole('img', { name: '1 mensaje sin leer' })).toBeVisible()
  await page.locator('.messages').click()
  await expect.poll(() => unreadOf(43)).toBe(0)
  await rows(page).first().focus()

  // All that match, also those that are not loaded.
  await keyed(page, 'x')
  const tools = page.getByRole('toolbar', { name: 'Conversaciones seleccionadas' })
  await tools.getByRole('button', { name: 'Seleccionar todas' }).click()
  await tools.getByRole('button', { name: 'Seleccionar las 43 que coinciden' }).click()
  await expect(tools.getByText('43 seleccionadas')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tools).toHaveCount(0)
  await expect(list(page).locator(':focus')).toHaveCount(1)

  // The chat is on the second page of the list.
  await page.goto(paths.chat(org.slug, org.customer(3, 'Cliente 3').phone))
  await expect(list(page).locator('a.row[aria-current="true"]')).toBeInViewport()
  await page.reload()
  await expect(list(page).locator('a.row[aria-current="true"]')).toBeInViewport()
})
