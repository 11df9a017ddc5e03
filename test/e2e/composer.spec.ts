import { paths } from '#shared/kernel/paths.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  intercept,
  type Page,
  picture,
  signIn,
  test,
} from './fixtures.ts'

const field = (page: Page) => page.getByRole('textbox', { name: /^Mensaje para/ })
const ours = (page: Page) => page.getByRole('article', { name: 'Mensaje nuestro' })

test('a draft survives switching conversations and a reload, and shows in the list', async ({
  page,
  org,
  openInbox,
}) => {
  const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
  await lucia.says('Hola')
  await pedro.says('Buenas')
  await openInbox(page, lucia.phone)
  await field(page).fill('Mañana a primera hora')
  await page.getByRole('link', { name: /Pedro Gil/ }).click()
  await expect(page.getByRole('heading', { name: 'Pedro Gil' })).toBeVisible()
  await expect(field(page)).toHaveValue('')
  const row = page.getByRole('link', { name: /Lucía Méndez/ })
  await expect(row).toContainText('Borrador: Mañana a primera hora')
  await row.click()
  await expect(field(page)).toHaveValue('Mañana a primera hora')
  await page.reload()
  await expect(field(page)).toHaveValue('Mañana a primera hora')
})

test('Shift+Enter inserts a line break, Enter sends, and each press sends once', async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await field(page).fill('uno')
  await field(page).press('Shift+Enter')
  await field(page).pressSequentially('dos')
  await expect(field(page)).toHaveValue('uno\ndos')
  await field(page).press('Enter')
  await field(page).press('Enter')
  await expect(ours(page)).toHaveCount(1)
  await field(page).fill('tres')
  await field(page).press('Enter')
  await field(page).press('Enter')
  await expect(ours(page)).toHaveCount(2)
  await expect(ours(page).getByLabel(/Leído|Entregado/)).toHaveCount(2, { timeout: 20_000 })
  expect(await org.received(lucia.phone)).toEqual(['uno\ndos', 'tres'])
  await field(page).fill('\u200b\u2060')
  await expect(page.getByRole('button', { name: 'Enviar', exact: true }), 'nothing of it is seen').toBeDisabled()
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('\u200b\u2060')
})

test('when the window closes the composer says why and keeps the draft', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await field(page).fill('Te confirmo en un rato')
  await org.letPass(25)
  await expect(page.getByText('Pasaron más de 24 h desde el último mensaje del cliente.')).toBeVisible()
  const draft = page.getByRole('textbox', { name: 'Borrador que no se puede enviar' })
  await expect(draft).toBeVisible()
  await expect(draft).toHaveValue('Te confirmo en un rato')
  await expect(page.getByRole('button', { name: 'Copiar el borrador' })).toBeVisible()
  await expect(field(page)).toHaveCount(0)
  await expect(page.getByText(/Ventana cerrada desde (hoy|ayer) a las \d\d:\d\d/)).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'closed window')
  // The text field is gone, so letter keys act on the thread.
  await page.getByRole('log').click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('p')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await lucia.says('¿Y?')
  await expect(field(page)).toHaveValue('Te confirmo en un rato')
})

test('a message sent offline waits, survives a reload, and is sent once', async ({
  page,
  org,
  complaints,
  openInbox,
}) => {
  complaints.announce(/net::ERR_/)
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await expect(field(page)).toBeEditable()
  // Only API calls fail; the page itself can still be loaded.
  await intercept(page, '**/api/whatsapp/messages', route => route.abort('internetdisconnected'))
  await field(page).fill('Sin conexión pero escrito')
  await field(page).press('Enter')
  await expect(
    page.getByText('Sin conexión. Se manda solo cuando vuelva la conexión; no se perdió nada.'),
  ).toBeVisible()
  await page.reload()
  await expect(ours(page)).toContainText('Sin conexión pero escrito')
  await page.unroute('**/api/whatsapp/messages')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(ours(page).getByLabel(/Entregado|Leído/)).toBeVisible({ timeout: 30_000 })
  await expect(ours(page)).toHaveCount(1)
  await expect(page.getByText('Sin conexión. Se manda solo')).toHaveCount(0)
  expect(await org.received(lucia.phone)).toEqual(['Sin conexión pero escrito'])
})

test('a lost response does not cause a second message', async ({ page, org, complaints, openInbox }) => {
  complaints.announce(/net::ERR_/)
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  let lost = 0
  await intercept(page, '**/api/whatsapp/messages', async route => {
    if (lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  await field(page).fill('Una sola vez')
  await field(page).press('Enter')
  await expect(ours(page).getByLabel(/Entregado|Leído/)).toBeVisible({ timeout: 30_000 })
  await expect(ours(page)).toHaveCount(1)
  await page.reload()
  await expect(ours(page)).toHaveCount(1)
  expect(await org.received(lucia.phone)).toEqual(['Una sola vez'])
})

test('a refused message shows the reason and the next step, and Retry where it helps', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.failNext('131037')
  await openInbox(page, lucia.phone)
  await field(page).fill('A la segunda va')
  await field(page).press('Enter')
  await expect(ours(page).getByLabel('No se envió')).toBeVisible({ timeout: 20_000 })
  const failure = page.locator('.failure')
  await expect(failure).toContainText(/\S{3,}/)
  await expectAccessible(page)
  await picture(page, 'failed')
  const reason = failure.locator('.failure-short')
  await expect(reason).toBeVisible()
  const short = (await failure.boundingBox())?.height ?? 0
  await failure.getByRole('button', { name: 'Ver más' }).click()
  await expect(reason).toHaveCount(0)
  await expect(failure.getByRole('button', { name: 'Ver menos' })).toBeVisible()
  expect((await failure.boundingBox())?.height, 'all of it').toBeGreaterThan(short)
  await expect(failure.getByRole('link', { name: 'Resolverlo en Meta' })).toBeVisible()
  await failure.getByRole('button', { name: 'Reintentar' }).click()
  await expect(ours(page).getByLabel(/Entregado|Leído/)).toBeVisible({ timeout: 30_000 })
  expect((await org.received(lucia.phone)).filter(text => text === 'A la segunda va').length).toBeGreaterThan(0)
  await org.failNext('131051')
  await field(page).fill('Así no lo acepta')
  await field(page).press('Enter')
  const otherWay = failure.getByRole('button', { name: 'Mandarlo de otra forma' })
  await expect(otherWay).toBeVisible({ timeout: 20_000 })
  await expect(failure.getByRole('button', { name: 'Reintentar' })).toHaveCount(0)
  await otherWay.click()
  const templates = page.getByRole('dialog')
  await expect(templates).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(templates).toHaveCount(0)
})

test('an unconfirmed message waits, is not sent again, and is settled later', async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.setSimulator({ statusDelayMs: 60_000 })
  await org.failNext('cut')
  await openInbox(page, lucia.phone)
  await field(page).fill('Quizás')
  await field(page).press('Enter')
  await expect(page.getByText('Sin confirmar: WhatsApp todavía no dijo si lo recibió.')).toBeVisible({
    timeout: 20_000,
  })
  await picture(page, 'unknown outcome')
  // WhatsApp reports the status in the end.
  await org.letPass(0.5)
  await expect(ours(page).getByLabel(/Enviado|Entregado|Leído/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Sin confirmar: WhatsApp todavía no dijo si lo recibió.')).toHaveCount(0)
  expect(await org.received(lucia.phone)).toEqual(['Quizás'])
})

test('a message held back by WhatsApp shows why and until when, and can be cancelled meanwhile', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.failNext('131056', 8)
  await openInbox(page, lucia.phone)
  await field(page).fill('Primero')
  await field(page).press('Enter')
  const first = page.locator('.said', { hasText: 'Primero' })
  await expect(first).toContainText('WhatsApp pide una pausa entre mensajes a la misma persona.')
  await expect(first.getByRole('timer')).toContainText(/Sale en \d+\ss\./)
  await field(page).fill('Segundo')
  await field(page).press('Enter')
  const second = page.locator('.said', { hasText: 'Segundo' })
  await expect(second).toContainText('Espera a que salga el mensaje anterior.')
  await expectAccessible(page)
  await picture(page, 'waiting')
  await page.reload()
  await expect(first).toContainText('WhatsApp pide una pausa entre mensajes a la misma persona.')
  await second.getByRole('button', { name: 'Cancelar envío' }).click()
  await expect(second).toContainText('Se canceló antes de salir. El texto queda guardado.')
  await first.getByRole('button', { name: 'Cancelar envío' }).click()
  await expect(first).toContainText('Se canceló antes de salir. El texto queda guardado.')
  await picture(page, 'cancelled')
  await org.failNext('131056', 1)
  expect(await org.received(lucia.phone)).toEqual([])
})

test('a session that ends while sending keeps the text, leads to the sign-in, and continues afterwards', async ({
  page,
  org,
  site,
  context,
  complaints,
  openInbox,
}) => {
  complaints.announce(/^401 /, /could not be marked as read/)
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await expect(field(page)).toBeEditable()
  await field(page).fill('Te lo llevo mañana')
  // The session ends with the text in flight: an earlier request of the page would lead to the sign-in at once.
  const sending = page.waitForResponse(
    response => response.request().method() === 'POST' && response.url().endsWith('/api/whatsapp/messages'),
  )
  await page.route('**/api/whatsapp/messages', async route => {
    await context.clearCookies()
    await route.continue()
  })
  await field(page).press('Enter')
  expect((await sending).status()).toBe(401)
  await page.unroute('**/api/whatsapp/messages')
  const said = page.getByText('Tu sesión terminó. Entrá de nuevo y se manda solo; no se perdió nada.')
  await expect(said).toBeVisible()
  // The page's own requests are refused too: the unread count, after an event.
  const refused = page.waitForResponse(
    response => response.url().includes('/api/whatsapp/unread') && response.status() === 401,
  )
  await lucia.says('¿Hola?')
  await refused
  await expect(said).toBeVisible()
  await picture(page, 'session ended')
  await page.locator('.failure').getByRole('link', { name: 'Entrar' }).click()
  await expect(page).toHaveURL(/\/login\?/)
  // A page left while it is still streaming would be hydrated only partly.
  await page.waitForLoadState()
  await signIn(context, site, org.owner)
  await page.goto(paths.chat(org.slug, lucia.phone))
  await expect(ours(page).getByLabel(/Entregado|Leído/)).toBeVisible()
  expect(await org.received(lucia.phone)).toEqual(['Te lo llevo mañana'])
})

test('a reply carries the quoted message', async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Tienen medialunas?')
  await openInbox(page, lucia.phone)
  await page.getByRole('article').hover()
  await page.getByRole('button', { name: 'Responder' }).click()
  await expect(field(page)).toBeFocused()
  await field(page).fill('De manteca y de grasa')
  await field(page).press('Enter')
  await expect(ours(page)).toContainText('¿Tienen medialunas?')
  await expect(ours(page)).toContainText('De manteca y de grasa')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('hostile names and messages break nothing and run nothing', { tag: '@nightly' }, async ({
    page,
    org,
    openInbox,
  }) => {
    const customers = [
      '<script>window.pwned=1</script>',
      '</script><img src=x onerror=window.pwned=1>',
      `${'N'.repeat(120)}`,
      '\u202Eodagiverp\u202C',
    ]
    const texts = [
      '<img src=x onerror="window.pwned=1">',
      '</script><script>window.pwned=1</script>',
      'a\u2028b\u2029c',
      '\u202Etxt.exe',
      'w'.repeat(4000),
    ]
    for (const [n, name] of customers.entries()) for (const text of texts) await org.customer(n, name).says(text)
    await openInbox()
    await expect(page.getByRole('navigation', { name: 'Conversaciones' }).getByRole('link')).toHaveCount(
      customers.length,
    )
    await expectNoSidewaysScroll(page)
    await picture(page, 'hostile list')
    for (const n of customers.keys()) {
      await page.goto(paths.chat(org.slug, org.customer(n).phone))
      await expect(page.getByRole('article')).toHaveCount(texts.length)
      await expectNoSidewaysScroll(page)
      expect(
        await page
          .locator('.bubble')
          .evaluateAll(all => all.every(one => one.getBoundingClientRect().right <= innerWidth)),
      ).toBe(true)
      expect(await page.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined()
    }
    await picture(page, 'hostile chat')
  })
})

test('text formatted by a shortcut is sent in WhatsApp’s syntax and shown formatted', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Abren _mañana_ o el *lunes*?')
  await openInbox(page, lucia.phone)
  const asked = page.locator('.bubble-in')
  await expect(asked.locator('em')).toHaveText('mañana')
  await expect(asked.locator('strong')).toHaveText('lunes')
  await field(page).fill('Abrimos ')
  await field(page).press('ControlOrMeta+b')
  await field(page).pressSequentially('mañana')
  await expect(field(page)).toHaveValue('Abrimos *mañana*')
  await field(page).press('ControlOrMeta+a')
  await field(page).press('ControlOrMeta+i')
  await expect(field(page)).toHaveValue('_Abrimos *mañana*_')
  await field(page).press('Enter')
  await expect(ours(page).locator('em strong')).toHaveText('mañana')
  await expect.poll(() => org.received(lucia.phone)).toEqual(['_Abrimos *mañana*_'])
})

test('with undo enabled a sent message can be taken back for some seconds', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await page.goto(paths.settingsOf(org.slug, 'profile'))
  await page.getByRole('switch', { name: 'Deshacer envíos' }).click()
  // A click before hydration is stored a moment later.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('undo-send'))).toBe('on')
  await openInbox(page, lucia.phone)

  // On any machine the five seconds have not passed.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  await field(page).fill('Con un error')
  await field(page).press('Enter')
  await expect(page.getByText('Sale en unos segundos.')).toBeVisible()
  await picture(page, 'undo')
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(ours(page)).toHaveCount(0)
  await expect(field(page)).toHaveValue('Con un error')
  await expect(field(page)).toBeFocused()
  await page.clock.resume()

  await field(page).fill('Sin errores')
  await field(page).press('Enter')
  await field(page).fill('Y otra')
  await field(page).press('Enter')
  await expect(ours(page)).toHaveCount(2)
  await expect(
    ours(page)
      .last()
      .getByLabel(/Entregado|Leído/),
  ).toBeVisible({ timeout: 30_000 })
  expect(await org.received(lucia.phone)).toEqual(['Sin errores', 'Y otra'])

  // Leaving the conversations sends it at once.
  await field(page).fill('Y me voy')
  await field(page).press('Enter')
  await expect(ours(page)).toHaveCount(3)
  await page.getByRole('link', { name: 'Plantillas' }).click()
  await expect.poll(() => org.received(lucia.phone)).toEqual(['Sin errores', 'Y otra', 'Y me voy'])
})

test('a message is forwarded to conversations that may be written to', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  const bruno = org.customer(2, 'Bruno Paz')
  const carla = org.customer(3, 'Carla Ríos')
  await carla.says('Hola')
  await bruno.says('¿Dónde queda?')
  await lucia.says('Queda en Mitre 300')
  await openInbox(page, lucia.phone)
  await page.getByRole('article').hover()
  await page.getByRole('button', { name: 'Reenviar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reenviar mensaje' })
  await expect(dialog.getByText('Queda en Mitre 300')).toBeVisible()
  const search = dialog.getByRole('combobox', { name: 'Buscar un chat' })
  await expect(search).toBeFocused()
  await search.fill('Bruno')
  await expect(dialog.getByRole('option')).toHaveCount(1)
  await search.press('Enter')
  await expect(dialog.getByRole('option', { name: /Bruno Paz/ })).toHaveAttribute('aria-selected', 'true')
  await search.fill('')
  await dialog.getByRole('option', { name: /Carla Ríos/ }).click()
  await expectAccessible(page)
  await picture(page, 'forward')
  await dialog.getByRole('button', { name: 'Reenviar a 2 chats' }).click()
  await expect(page.getByText('Reenviado a 2 chats')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => org.received(bruno.phone)).toEqual(['Queda en Mitre 300'])
  await expect.poll(() => org.received(carla.phone)).toEqual(['Queda en Mitre 300'])
  expect(await org.received(lucia.phone)).toEqual([])
})

test('an emoji is found by name and inserted at the cursor; any emoji can be a reaction', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Hay pizza?')
  await openInbox(page, lucia.phone)
  await field(page).fill('Hay  de muzza')
  await field(page).evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(4, 4))
  await page.getByRole('button', { name: 'Emojis' }).click()
  const picker = page.getByRole('dialog', { name: 'Emojis' })
  const search = picker.getByRole('searchbox', { name: 'Buscar un emoji' })
  await expect(search).toBeFocused()
  await expect(picker.getByText('emoticonos y emoción')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'emojis')
  const foot = async (part: typeof picker) => {
    const { y, height } = (await part.boundingBox()) ?? { y: 0, height: Number.POSITIVE_INFINITY }
    return y + height
  }
  const top = (await page.locator('.composer-box').boundingBox())?.y ?? 0
  await expect.poll(() => foot(picker), 'above the field').toBeLessThanOrEqual(top)
  await picker.getByRole('button', { name: 'comida y bebida' }).click()
  await expect(picker.getByRole('gridcell', { name: 'uvas' })).toBeVisible()
  // At once: the list may still show the search before.
  await search.fill('pizza')
  await search.press('Enter')
  await expect(picker).toHaveCount(0)
  await expect(field(page)).toHaveValue('Hay 🍕 de muzza')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => org.received(lucia.phone)).toEqual(['Hay 🍕 de muzza'])

  const asked = page.locator('.said', { hasText: '¿Hay pizza?' })
  await asked.hover()
  await asked.getByRole('button', { name: 'Reaccionar' }).click()
  await page.getByRole('button', { name: 'Otro emoji' }).click()
  await search.fill('chef')
  await expect(picker.getByRole('gridcell').first()).toBeVisible()
  await search.press('Escape')
  await expect(picker).toHaveCount(0)
  await asked.hover()
  await asked.getByRole('button', { name: 'Reaccionar' }).click()
  await page.getByRole('button', { name: 'Otro emoji' }).click()
  await picker.getByRole('group', { name: 'Usados hace poco' }).getByRole('button', { name: '🍕' }).click()
  await expect(asked).toContainText('🍕')
})
