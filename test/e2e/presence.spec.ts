import { writingMs } from '#shared/inbox/presence.ts'
import { expect, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('a colleague sees who has the conversation open and who is typing, until they leave', async ({
  page,
  org,
  another,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  const marta = await another(await org.colleague('Marta'))
  await openInbox(page, lucia.phone)
  const seen = page.locator('.chat-presence')
  await expect(page.getByRole('button', { name: 'Enviar', exact: true })).toBeVisible()
  await expect(seen).toHaveCount(0)
  await openInbox(marta, lucia.phone)
  await expect(seen).toHaveText(/Marta.* está mirando/)
  await marta.getByRole('textbox', { name: /^Mensaje para/ }).pressSequentially('Ya te')
  await expect(seen).toHaveText(/Marta.* está escribiendo…/)
  await picture(page, 'presence')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'presence-390')
  await marta.keyboard.press('Enter')
  await expect(page.getByRole('article').last()).toContainText('Ya te')
  // It would also expire by itself, later.
  await expect(seen).toHaveText(/Marta.* está mirando/, { timeout: writingMs / 2 })
  await marta.getByRole('link', { name: /Pedro Gil/ }).click()
  await expect(seen).toHaveCount(0)
})

test('of two members with one name, the sender is distinguished from the one still typing', {
  tag: '@nightly',
}, async ({ page, org, another, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  const [one, other] = [await another(await org.colleague('Marta')), await another(await org.colleague('Marta'))]
  await openInbox(page, lucia.phone)
  await expect(page.getByRole('button', { name: 'Enviar', exact: true })).toBeVisible()
  for (const tab of [one, other]) await openInbox(tab, lucia.phone)
  const seen = page.locator('.chat-presence')
  await expect(seen).toHaveText(/Marta.* y otra persona están mirando/)
  await one.getByRole('textbox', { name: /^Mensaje para/ }).pressSequentially('Ya te')
  await other.getByRole('textbox', { name: /^Mensaje para/ }).pressSequentially('Un momento')
  await expect(seen).toHaveText(/Marta.* y otra persona están escribiendo…/)
  await one.keyboard.press('Enter')
  await expect(page.getByRole('article').last()).toContainText('Ya te')
  await expect(seen).toHaveText(/^Marta está escribiendo…/)
})
