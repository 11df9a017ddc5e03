import { expect, expectAccessible, expectNoSidewaysScroll, intercept, picture, test } from './fixtures.ts'

const graph = {
  nodes: [
    { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
    {
      id: 'name',
      type: 'question',
      position: { x: 360, y: 0 },
      data: { text: '¿Cómo te llamás?', variable: 'nombre', ends: ['next', 'invalid', 'timeout'] },
    },
  ],
  edges: [{ source: 's', target: 'name' }],
}

test('a conversation shows who handles it; a member takes it over, gives it back, and silences the bot', async ({
  page,
  org,
  openInbox,
}) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Bienvenida',
    graph,
    triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: ['hola'] }],
  })
  await org.call('POST', `/whatsapp/flows/${id}/publish`, {})
  const lucia = org.customer(1, 'Lucía Méndez')
  await page.setViewportSize({ width: 1440, height: 900 })
  await lucia.says('¿Están?')
  await openInbox(page, lucia.phone)
  const bar = page.getByRole('complementary', { name: 'Quién responde' })
  await expect(bar).toContainText('Espera a una persona')
  await expectAccessible(page)
  await picture(page, 'waits')
  await bar.getByRole('button', { name: 'Asignarme' }).press('Enter')
  await expect(page.locator('.toasts').getByText('Asignada a vos')).toBeVisible()
  await expect(bar).toHaveCount(0)

  const theme = page.locator('html')
  await expect(theme).toHaveAttribute('data-theme', 'system')
  await page.getByRole('button', { name: 'Asignada a Vos' }).click()
  await page.getByRole('option', { name: 'Devolver al bot' }).click()
  await expect(page.getByText('El bot puede seguir')).toBeVisible()
  await expect(theme, 'a menu leaves the page its theme').toHaveAttribute('data-theme', 'system')
  await lucia.says('hola')
  await expect(bar).toContainText('Responde el bot: Bienvenida')
  await expect(page.locator('.said').filter({ hasText: '¿Cómo te llamás?' })).toContainText('Bot · Bienvenida')
  await expectAccessible(page)
  await picture(page, 'attends')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await picture(page, 'attends-narrow-dark')
  await bar.getByRole('button', { name: 'Pausar' }).press('Enter')
  await expect(page.getByText('El bot está en pausa en este chat')).toBeVisible()
  await expect(bar).toHaveCount(0)
  const [run] = (await org.call<{ items: { state: string }[] }>('GET', `/whatsapp/flows/${id}/runs`)).items
  expect(run?.state).toBe('taken')

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Iniciar flujo…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Iniciar un flujo con Lucía Méndez' })
  await expect(dialog.getByRole('option', { name: 'Bienvenida' })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'start-flow')
  await dialog.getByRole('combobox').press('Enter')
  await expect(page.getByText('Empezó Bienvenida', { exact: true })).toBeVisible()
  await expect(bar).toContainText('Responde el bot: Bienvenida')
})

test('if two take the same conversation at once one gets it and the other learns who', { tag: '@nightly' }, async ({
  page,
  org,
  another,
  openInbox,
  complaints,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Están?')
  const marta = await another(await org.colleague('Marta Ríos'))
  await openInbox(page, lucia.phone)
  await openInbox(marta, lucia.phone)
  const bar = (of: typeof page) => of.getByRole('complementary', { name: 'Quién responde' })
  complaints.announce(/^409 POST .*\/control$/)
  // The first request is held until the second one has been answered.
  let letGo: () => void = () => undefined
  const isTaken = new Promise<void>(resolve => {
    letGo = resolve
  })
  await intercept(page, /\/control$/, async route => {
    await isTaken
    await route.continue()
  })
  await bar(page).getByRole('button', { name: 'Asignarme' }).click()
  await bar(marta).getByRole('button', { name: 'Asignarme' }).click()
  await expect(marta.locator('.toasts').getByText('Asignada a vos')).toBeVisible()
  letGo()
  await expect(page.getByText('Marta Ríos ya tiene esta conversación.')).toBeVisible()
  for (const each of [page, marta]) {
    await expect(bar(each)).toHaveCount(0)
  }
  await expect(page.getByRole('button', { name: 'Asignada a Marta Ríos' })).toContainText('Marta Ríos')
  await expect(marta.getByRole('button', { name: 'Asignada a Vos' })).toContainText('Vos')
  await expect(page.locator('.toasts').getByText('Asignada a vos')).toHaveCount(0)
  await picture(page, 'taken-meanwhile')
})

test('the first reply assigns a conversation: row, head and thread say so on every open page', async ({
  page,
  org,
  another,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Están?')
  const marta = await another(await org.colleague('Marta Ríos'))
  await page.setViewportSize({ width: 1440, height: 900 })
  await openInbox(page, lucia.phone)
  await openInbox(marta, lucia.phone)
  const rowOf = (of: typeof page) => of.locator('.row').filter({ hasText: 'Lucía Méndez' })
  await expect(rowOf(page)).toContainText('Necesita persona')
  await marta.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' }).fill('¡Sí! Decime.')
  await marta.keyboard.press('Enter')
  await expect(rowOf(page)).toContainText('Marta R.')
  await expect(rowOf(marta)).toContainText('Vos')
  await expect(page.getByRole('button', { name: 'Asignada a Marta Ríos' })).toBeVisible()
  await expect(marta.getByRole('button', { name: 'Asignada a Vos' })).toBeVisible()
  await expect(marta.getByText('Asignada a vos, que respondiste primero')).toBeVisible()
  await expect(marta.getByRole('button', { name: /^Mías/ })).toContainText('1')
  await page.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' }).fill('Te reservé uno.')
  await page.keyboard.press('Enter')
  await expect(
    page.locator('.messages').getByText('También respondiste vos. Sigue asignada a Marta Ríos'),
  ).toBeVisible()
  await expect(marta.getByText('también respondió. Sigue asignada a vos')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'first-reply')
  await page.setViewportSize({ width: 800, height: 900 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'first-reply-800')
  const field = page.getByPlaceholder('Buscar en chats')
  await expect(field).toBeVisible()
  const hint = await field.evaluate(input => {
    const { paddingLeft, paddingRight, font } = getComputedStyle(input)
    const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    pen.font = font
    const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    return { room, needed: pen.measureText((input as HTMLInputElement).placeholder).width }
  })
  expect(hint.needed, 'the hint of the search is not cut').toBeLessThan(hint.room)
})
