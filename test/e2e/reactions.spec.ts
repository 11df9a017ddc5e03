import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a reaction is added to a message and removed, by keyboard alone', async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¡Llegó todo perfecto!')
  await openInbox(page, lucia.phone)
  const react = page.getByRole('button', { name: 'Reaccionar', exact: true })
  await expect(react).toHaveCount(0)
  await page.getByRole('article').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(react).toBeFocused()
  await page.keyboard.press('Enter')
  const picker = page.getByRole('dialog', { name: 'Elegir una reacción' })
  await expect(picker.getByRole('button', { name: 'Reaccionar con 👍' })).toBeFocused()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'choose')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(picker).toHaveCount(0)
  const shown = page.getByRole('img', { name: 'Reaccionamos con ❤️' })
  await expect(shown).toBeVisible()
  await expect(react).toBeFocused()
  await picture(page, 'reacted')
  await org.until<{ items: { body: string }[] }>(`/sandbox/outbox?to=${lucia.phone}`, ({ items }) =>
    items.some(({ body }) => JSON.parse(body).reaction?.emoji === '❤️'),
  )
  await page.keyboard.press('Enter')
  const ours = picker.getByRole('button', { name: 'Quitar la reacción ❤️', pressed: true })
  await expect(ours).toBeVisible()
  await ours.press('Enter')
  await expect(shown).toHaveCount(0)
  await org.until<{ items: { body: string }[] }>(`/sandbox/outbox?to=${lucia.phone}`, ({ items }) =>
    items.some(({ body }) => JSON.parse(body).reaction?.emoji === ''),
  )
})
