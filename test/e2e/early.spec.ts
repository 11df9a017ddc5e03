import { paths } from '#shared/kernel/paths.ts'
import { expect, type Page, test } from './fixtures.ts'

/** The page as a slow connection has it: all its markup and none of its scripts, until they are let go. */
const openWithoutScripts = async (page: Page, path: string) => {
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route(/\/assets\/.*\.js$/, async route => {
    await held
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return letGo
}

test.describe('nobody has been here', () => {
  test.use({ installation: 'fresh' })
  test('what is typed and sent before the page has its scripts is sent once they are there', async ({ page, site }) => {
    const letGo = await openWithoutScripts(page, '/login')
    await page.getByLabel('Correo electrónico').fill('temprana@example.com')
    await page.getByRole('button', { name: 'Enviar código' }).click()
    await page.getByRole('button', { name: 'Enviar código' }).click()
    expect(site.mailedCode('temprana@example.com')).toBeUndefined()
    letGo()
    await expect(page.getByLabel('Código de seis dígitos')).toBeFocused()
    expect(site.mailedCode('temprana@example.com')).toMatch(/^\d{6}$/)
    await expect(page).toHaveURL(/\/login$/)
  })
})

test('a button pressed three times before the page has its scripts is pressed once', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const simulated: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/sandbox/inbound')) simulated.push(request.url())
  })
  const letGo = await openWithoutScripts(page, paths.chats(org.slug))
  for (let i = 0; i < 3; i += 1) await page.getByRole('button', { name: 'Simular un mensaje' }).click()
  letGo()
  await expect(page.getByRole('navigation', { name: 'Conversaciones' }).getByRole('link')).toHaveCount(1)
  expect(simulated).toHaveLength(1)
})

test('a field that was filled early counts for what depends on it, and goes on from there', async ({ page, org }) => {
  await org.customer(1, 'Lucía Méndez').says('Hola')
  const letGo = await openWithoutScripts(page, paths.chat(org.slug, org.customer(1).phone))
  const field = page.getByLabel('Mensaje para Lucía Méndez')
  await field.fill('Ya te')
  letGo()
  await expect(page.getByRole('button', { name: 'Enviar', exact: true })).toBeEnabled()
  await field.pressSequentially(' contesto')
  await expect(field).toHaveValue('Ya te contesto')
  await field.press('Enter')
  await expect(page.getByRole('article', { name: 'Mensaje nuestro' })).toContainText('Ya te contesto')
})

test('what was typed early is not lost where the page is drawn anew before it is looked at', {
  tag: '@nightly',
}, async ({ page, org }) => {
  await page.addInitScript(() => {
    const { setTimeout } = window
    // As on a machine that has much to do: the look at what was typed comes late.
    const later = (work: TimerHandler, ms?: number) => setTimeout(work, ms === 40 ? 1500 : ms)
    Object.assign(window, { setTimeout: later })
  })
  const letGo = await openWithoutScripts(page, paths.templates(org.slug))
  const field = page.getByRole('searchbox')
  await field.fill('nada_de_esto')
  letGo()
  await expect(page.getByText('Ninguna plantilla coincide con lo que buscás.')).toBeVisible()
  await expect(field).toHaveValue('nada_de_esto')
})

test('a row pressed before the page has its scripts, and let go once they have drawn it anew, opens', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Está el pedido?')
  await openInbox(page, lucia.phone)
  const field = page.getByLabel('Mensaje para Lucía Méndez')
  await field.fill('Tu pedido está')
  const letGo = await openWithoutScripts(page, paths.chats(org.slug))
  const row = page.getByRole('navigation', { name: 'Conversaciones' }).getByRole('link')
  await row.getByText('¿Está el pedido?').hover()
  await page.mouse.down()
  letGo()
  await expect(row).toContainText('Borrador: Tu pedido está')
  await page.mouse.up()
  await expect(field).toHaveValue('Tu pedido está')
})

test('a form whose button went away before the scripts came is sent all the same', { tag: '@nightly' }, async ({
  page,
}) => {
  const letGo = await openWithoutScripts(page, '/login')
  await page.getByLabel('Correo electrónico').fill('sinboton@example.com')
  await page.evaluate(() => {
    const form = document.querySelector('input[type=email]')?.closest('form')
    const button = document.createElement('button')
    form?.append(button)
    form?.requestSubmit(button)
    button.remove()
  })
  letGo()
  await expect(page.getByLabel('Código de seis dígitos')).toBeFocused()
})

test('Enter pressed early sends what was written, once, and breaks no line', async ({ page, org }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  const letGo = await openWithoutScripts(page, paths.chat(org.slug, lucia.phone))
  const field = page.getByLabel('Mensaje para Lucía Méndez')
  await field.fill('Ya te contesto')
  await field.press('Enter')
  await field.press('Enter')
  await expect(field).toHaveValue('Ya te contesto')
  letGo()
  await expect(page.getByRole('article', { name: 'Mensaje nuestro' })).toContainText('Ya te contesto')
  await expect(field).toHaveValue('')
  await expect.poll(() => org.received(lucia.phone)).toEqual(['Ya te contesto'])
})

test('what is typed before a kept draft is there goes out alone', async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  const field = page.getByLabel('Mensaje para Lucía Méndez')
  await field.fill('Un borrador de ayer')
  const letGo = await openWithoutScripts(page, paths.chat(org.slug, lucia.phone))
  await field.fill('Ya te contesto')
  await field.press('Enter')
  letGo()
  await expect.poll(() => org.received(lucia.phone)).toEqual(['Ya te contesto'])
})

test('what is written on a simulated phone before the page has its scripts leaves once they are there', {
  tag: '@nightly',
}, async ({ page, org }) => {
  const pedro = org.customer(1, 'Pedro Gil')
  await pedro.says('Soy Pedro')
  const letGo = await openWithoutScripts(page, `${paths.simulator(org.slug)}?customer=${pedro.phone}`)
  const field = page.getByRole('textbox', { name: 'Mensaje de Pedro Gil' })
  await field.fill('y sigo')
  await field.press('Enter')
  letGo()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(field).toHaveValue('')
})

test('a flow is offered to be dragged once the page has its scripts, not before', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  await org.call('POST', '/whatsapp/flows', { name: 'Uno' })
  const letGo = await openWithoutScripts(page, paths.flows(org.slug))
  const handle = page.getByRole('button', { name: 'Uno, puesto 1' })
  await expect(handle).toHaveAttribute('draggable', 'false')
  letGo()
  await expect(handle).toHaveAttribute('draggable', 'true')
})

test('an answer sent with Enter while the chat is taken over is sent once', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const marta = org.customer(1, 'Marta Ruiz')
  await marta.says('¿Tienen medialunas?')
  await page.goto(paths.chats(org.slug))
  await page.getByRole('link', { name: /Marta Ruiz/ }).click()
  const field = page.getByRole('textbox', { name: 'Mensaje para Marta Ruiz' })
  await field.fill('Sí, recién horneadas')
  await field.press('Enter')
  const answers = page.getByRole('article').filter({ hasText: 'recién horneadas' })
  await expect(answers.locator('.ticks-sent, .ticks-delivered, .ticks-read').first()).toBeAttached()
  const kept = await org.call<{ items: { text: string | null }[] }>('GET', `/whatsapp/chats/${marta.phone}`)
  expect(kept.items.filter(({ text }) => text?.includes('recién horneadas'))).toHaveLength(1)
  await expect(answers).toHaveCount(1)
})
