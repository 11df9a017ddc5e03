import { paths } from '#shared/kernel/paths.ts'
import { expect, type Locator, type Page, test } from './fixtures.ts'

/** Opens the page as on a slow connection: complete markup, but no scripts until they are released. */
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

test.describe('on a fresh installation', () => {
  test.use({ installation: 'fresh' })
  test('a form sent before the scripts arrive is submitted once when they do', async ({ page, site }) => {
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

test('a button pressed three times before the scripts arrive acts once', { tag: '@nightly' }, async ({ page, org }) => {
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

test('a field filled in early updates what depends on it', async ({ page, org }) => {
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

test('what is unfolded before the scripts arrive shows its content when they do', async ({ page, org }) => {
  const letGo = await openWithoutScripts(page, paths.stats(org.slug))
  const planned = page.locator('.stats-planned')
  await planned.locator('summary').click()
  letGo()
  await expect(planned.locator('> :not(summary)')).toBeVisible()
})

test('a setting typed and saved with Enter before the scripts arrive is saved', async ({ page, org }) => {
  const letGo = await openWithoutScripts(page, paths.settingsOf(org.slug, 'organization'))
  const website = page.getByLabel('Sitio web')
  await website.fill('https://www.trigal.com.ar')
  await website.press('Enter')
  letGo()
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await page.reload()
  await expect(website).toHaveValue('https://www.trigal.com.ar')
})

test('of two options chosen before the scripts arrive, the last one counts', async ({ page, org }) => {
  const letGo = await openWithoutScripts(page, paths.settingsOf(org.slug, 'attention'))
  const card = page.getByRole('region', { name: 'Asignación' })
  await card.getByLabel('A quién va').selectOption({ index: 1 })
  await card.getByLabel('A quién va').selectOption('Por turno')
  letGo()
  await expect(card.getByRole('checkbox', { name: /Limitar/ })).toBeVisible()
  await expect(card.getByLabel('A quién va')).toHaveValue('turn')
})

test('a box ticked before the scripts arrive stays ticked and counts; one ticked and unticked does not', async ({
  page,
  org,
}) => {
  for (const n of [1, 2]) await org.customer(n, `Cliente ${n}`).says('Hola')
  const letGo = await openWithoutScripts(page, paths.contacts(org.slug))
  const [first, second] = [1, 2].map(n => page.getByRole('checkbox', { name: `Seleccionar a Cliente ${n}` }))
  await first?.press('Space')
  await second?.click()
  await second?.click()
  await expect(first as Locator).toBeChecked()
  letGo()
  await expect(page.getByRole('toolbar', { name: 'Contactos seleccionados' })).toContainText('1 seleccionado')
  await expect(first as Locator).toBeChecked()
  await expect(second as Locator).not.toBeChecked()
})

test('early input survives a re-render that happens before it is read', {
  tag: '@nightly',
}, async ({ page, org }) => {
  await page.addInitScript(() => {
    const { setTimeout } = window
    // Like on a busy machine: the early input is read late.
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

test('a row pressed before the scripts arrive, and released after they re-rendered it, opens', {
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

test('a form whose button disappears before the scripts arrive is still submitted', { tag: '@nightly' }, async ({
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

test('an early Enter sends the text once and inserts no line break', async ({ page, org }) => {
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

test('text typed before the stored draft is loaded is sent without it', async ({ page, org, openInbox }) => {
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

test('text written on a simulated phone before the scripts arrive is sent when they do', {
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

test('a flow becomes draggable only when the scripts have arrived', { tag: '@nightly' }, async ({ page, org }) => {
  await org.call('POST', '/whatsapp/flows', { name: 'Uno' })
  const letGo = await openWithoutScripts(page, paths.flows(org.slug))
  const handle = page.getByRole('button', { name: 'Uno, puesto 1' })
  await expect(handle).toHaveAttribute('draggable', 'false')
  letGo()
  await expect(handle).toHaveAttribute('draggable', 'true')
})

test('an answer sent with Enter during hydration is sent once', { tag: '@nightly' }, async ({ page, org }) => {
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
