import { expect, expectAccessible, type Page, picture, test } from './fixtures.ts'

const box = (page: Page) => page.getByRole('log')
const topOf = (page: Page, text: string) =>
  page
    .getByRole('article')
    .filter({ hasText: text })
    .evaluate(one => one.getBoundingClientRect().top)
/** The thread's scroll position counts from its end. */
const distanceToEnd = (page: Page) => box(page).evaluate(one => -one.scrollTop)
const scrollFromStart = (page: Page, px: number) =>
  box(page).evaluate((one, top) => one.scrollTo({ top: top - (one.scrollHeight - one.clientHeight) }), px)

test.describe('a long thread', () => {
  const total = 240
  const dayMs = 86_400_000
  const pad = (n: number) => `mensaje ${String(n).padStart(3, '0')}.`
  const numberOf = (text: string | null) => Number(/mensaje (\d+)\./.exec(text ?? '')?.[1])
  /** The numbers of the rendered messages, in document order. */
  const drawn = async (page: Page) => (await page.getByRole('article').allTextContents()).map(numberOf)
  const seen = async (page: Page) =>
    numberOf(
      await box(page).evaluate(one => {
        const { left, top, width, height } = one.getBoundingClientRect()
        const middle = [...one.querySelectorAll('article')].find(
          article => article.getBoundingClientRect().bottom > top + height / 2,
        )
        return middle && left + width > 0 ? middle.textContent : null
      }),
    )
  const expectInOrder = async (page: Page) => {
    const numbers = await drawn(page)
    expect(numbers, 'one after the other').toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i))
    return numbers
  }

  test('of 240 messages those nearby are rendered; the reading position stays put up, down, and after a jump', async ({
    page,
    org,
    openInbox,
  }) => {
    const lucia = org.customer(1, 'Lucía Méndez')
    const start = Date.now() - 2 * dayMs
    const wamids: string[] = []
    for (let n = 1; n <= total; n += 1)
      wamids.push(
        await lucia.does({
          type: 'text',
          text: n % 7 ? pad(n) : `${pad(n)} ${'y sigue, que de esto hay para rato; '.repeat(n % 5)}`,
          at: new Date(start + (n * 2 * dayMs) / (total + 1)).toISOString(),
        }),
      )
    await org.until<{ items: { text: string }[] }>(
      `/whatsapp/chats/${lucia.phone}`,
      ({ items }) => items.at(-1)?.text === pad(total),
    )
    await openInbox(page, lucia.phone)
    await expect(page.getByRole('article').last()).toContainText(pad(total))
    await expect(page.getByRole('article').last()).toBeInViewport()
    expect(await page.getByRole('article').count()).toBeLessThan(total)

    // Scrolls up to the beginning in wheel steps: older pages load, and distant blocks are removed.
    await box(page).hover()
    let most = 0
    const end = page.getByText('Acá empieza la conversación')
    for (let steps = 0; steps < 400 && !(await end.isVisible()); steps += 1) {
      await page.mouse.wheel(0, -300)
      const numbers = await expectInOrder(page)
      most = Math.max(most, numbers.length)
    }
    await expect(end).toBeVisible()
    await scrollFromStart(page, 0)
    await expect(page.getByText(pad(1), { exact: true })).toBeInViewport()
    expect(most, 'messages in the page at once').toBeLessThan(110)
    expect(await page.evaluate(() => document.querySelectorAll('*').length), 'nodes of the page').toBeLessThan(1500)
    expect(await page.getByTitle('Ir a una fecha').count()).toBeGreaterThanOrEqual(1)

    // A new message below is announced and moves nothing.
    await scrollFromStart(page, 600)
    const anchor = pad(await seen(page))
    const place = await topOf(page, anchor)
    await lucia.says('el más nuevo')
    const notice = page.getByRole('button', { name: '1 mensaje nuevo' })
    await expect(notice).toBeVisible()
    expect(Math.abs((await topOf(page, anchor)) - place), 'drift of what is read, px').toBeLessThanOrEqual(2)

    // Down again: each step moves exactly by the scrolled distance, whatever is rendered or removed.
    for (let steps = 0; steps < 12; steps += 1) {
      const from = await seen(page)
      const before = await topOf(page, pad(from))
      const moved = await box(page).evaluate(async one => {
        const top = one.scrollTop
        one.scrollTop += 240
        const by = one.scrollTop - top
        await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        return by
      })
      expect(Math.abs(before - (await topOf(page, pad(from))) - moved), `drift of ${from}, px`).toBeLessThanOrEqual(2)
    }
    await notice.click()
    await expect(page.getByRole('article').last()).toContainText('el más nuevo')
    await expect(page.getByRole('article').last()).toBeInViewport()
    await expect(notice).toHaveCount(0)

    // Nor if it is rendered a little below the visible part.
    await box(page).evaluate(one => one.scrollTo({ top: -500 }))
    await expect(page.getByRole('button', { name: 'Ir a lo último' })).toBeVisible()
    const near = pad(await seen(page))
    const there = await topOf(page, near)
    await lucia.says('uno cerca')
    await expect(notice).toBeVisible()
    await expect(page.getByRole('article').last()).toContainText('uno cerca')
    expect(Math.abs((await topOf(page, near)) - there), 'drift near the end, px').toBeLessThanOrEqual(2)
    await notice.click()

    // A reader at the end stays at the end.
    await lucia.says('y otro más')
    await expect(page.getByRole('article').last()).toContainText('y otro más')
    await expect.poll(() => distanceToEnd(page)).toBeLessThanOrEqual(2)

    // The message quoted by the new one is far back and not rendered.
    await lucia.does({ type: 'text', text: 'sobre lo primero', replyToWamid: wamids[2] as string })
    const quote = page.locator('.bubble').getByRole('link', { name: pad(3) })
    await expect(page.getByText(pad(3), { exact: true }).and(page.locator('.bubble-text'))).toHaveCount(0)
    await quote.click()
    await expect(page.locator('[data-aimed]')).toContainText(pad(3))
    await expect(page.locator('[data-aimed]')).toBeInViewport()
    await page.getByRole('button', { name: 'Ir a lo último' }).click()
    await expect(page.getByRole('article').last()).toContainText('sobre lo primero')

    // The first day, by the calendar.
    const firstAt = start + (2 * dayMs) / (total + 1)
    const firstDay = await page.evaluate(at => new Date(at).toLocaleDateString('sv'), firstAt)
    await scrollFromStart(page, 0)
    await page.getByTitle('Ir a una fecha').first().click()
    const dialog = page.getByRole('dialog', { name: 'Ir a una fecha' })
    await dialog.getByLabel('Fecha', { exact: true }).fill(firstDay)
    await expectAccessible(page)
    await picture(page, 'date')
    await dialog.getByRole('button', { name: 'Ir', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText(pad(1), { exact: true })).toBeInViewport()
  })
})

test('every kind of message can be read', async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  const first = await lucia.says('Hola, miren https://example.com/menu y díganme')
  await lucia.does({ type: 'image', caption: 'La torta' })
  await lucia.does({ type: 'video' })
  await lucia.does({ type: 'audio' })
  await lucia.does({ type: 'voice' })
  await lucia.does({ type: 'document', filename: 'pedido.pdf' })
  await lucia.does({ type: 'sticker' })
  await lucia.does({ type: 'location', locationName: 'Plaza San Martín' })
  await lucia.does({ type: 'contacts', contactName: 'Ana Paz' })
  await lucia.does({ type: 'button', choiceTitle: 'Sí, quiero' })
  await lucia.does({ type: 'button_reply', choiceTitle: 'Confirmar' })
  await lucia.does({ type: 'list_reply', choiceTitle: 'Media docena', text: 'de manteca' })
  await lucia.does({ type: 'form', text: '{"cantidad":"12"}' })
  await lucia.does({ type: 'order', text: 'Para las seis' })
  await lucia.does({ type: 'unsupported' })
  await lucia.does({ type: 'holograma', raw: { holograma: { id: 'x1' } } })
  await lucia.does({ type: 'reaction', targetWamid: first, emoji: '❤️' })
  const edited = await lucia.says('tres docenas')
  await lucia.does({ type: 'edit', targetWamid: edited, text: 'cuatro docenas' })
  const removed = await lucia.says('esto no va')
  await lucia.does({ type: 'revoke', targetWamid: removed })
  await lucia.does({ type: 'text', text: 'respuesta', replyToWamid: first })
  await lucia.does({ type: 'text', text: 'reenviado', forwarded: true })
  await lucia.does({ type: 'text', text: 'vi el aviso', adHeadline: 'Medialunas 2 × 1' })

  await openInbox(page, lucia.phone)
  const thread = box(page)
  await expect(thread.getByRole('link', { name: 'https://example.com/menu', exact: true })).toBeVisible()
  await expect(thread.getByRole('img', { name: 'La torta' })).toBeVisible({ timeout: 20_000 })
  for (const text of [
    'pedido.pdf',
    'Plaza San Martín',
    'Ana Paz',
    'Sí, quiero',
    'Confirmar',
    'Media docena',
    'cantidad: 12',
    'Para las seis',
    'Total',
    'cuatro docenas',
    'Se eliminó este mensaje',
    'Reenviado',
    'Llegó por un anuncio',
    'Medialunas 2 × 1',
    'Este tipo de mensaje es nuevo',
    'El cliente mandó o votó una encuesta',
  ])
    await expect(thread.getByText(text).first(), text).toBeVisible()
  await expect(thread.getByText('esto no va')).toHaveCount(0)
  await expect(thread.getByRole('img', { name: 'Reaccionó con ❤️' })).toBeVisible()
  await expect(thread.getByText('Descargando…')).toHaveCount(0, { timeout: 20_000 })
  const pictures = thread.locator('img')
  await expect
    .poll(() =>
      pictures.evaluateAll(all =>
        all.every(one => (one as HTMLImageElement).loading === 'lazy' || (one as HTMLImageElement).complete),
      ),
    )
    .toBe(true)
  await expectAccessible(page)
  // The whole thread in one screenshot.
  await page.setViewportSize({ width: 1440, height: 2600 })
  await picture(page, 'all kinds')
})

test('unread messages begin at a line, a quote links to its message, and Ctrl+Enter opens the next conversation', async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  const bruno = org.customer(2, 'Bruno Paz')
  await lucia.says('¿Hacen tortas?')
  await openInbox(page, lucia.phone)
  const line = page.getByText('Sin leer desde acá')
  const composer = page.getByRole('textbox', { name: /Lucía Méndez/ })
  await composer.fill('Sí, de todo')
  await composer.press('Enter')
  await expect(page.getByRole('article')).toHaveCount(2)
  const asked = page.getByRole('article').filter({ hasText: '¿Hacen tortas?' })
  await asked.hover()
  await page.locator('.said', { has: asked }).getByRole('button', { name: 'Responder' }).click()
  await composer.fill('De chocolate, por ejemplo')
  await composer.press('Enter')
  const quote = page.locator('.bubble').getByRole('link', { name: /¿Hacen tortas/ })
  await expect(quote).toBeVisible()
  await page.goto(`/org/${org.slug}/c`)

  await lucia.says('😍')
  await lucia.says('¿Y cuánto sale?')
  await bruno.says('Buenas')
  await openInbox(page, lucia.phone)
  await expect(line).toBeVisible()
  await expect(page.locator('.unread-line + .said')).toContainText('😍')
  await expect(page.locator('.bubble-emoji')).toHaveText('😍')
  await expectAccessible(page)
  await picture(page, 'unread-line')
  await quote.click()
  await expect(page).toHaveURL(/around=/)
  await expect(page.locator('[data-aimed]')).toContainText('¿Hacen tortas?')

  await composer.fill('Veinte mil')
  await composer.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Bruno Paz' })).toBeVisible()
  await expect.poll(() => org.received(lucia.phone)).toContain('Veinte mil')
})

test('an arriving message does not move the tools of the hovered one, and the click counts', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Hacen tortas?')
  await openInbox(page, lucia.phone)
  const asked = page.locator('.said').filter({ hasText: '¿Hacen tortas?' })
  const reply = asked.getByRole('button', { name: 'Responder' })
  const isBeneathPointer = () => asked.evaluate(said => said.matches(':hover'))
  await asked.getByRole('article').hover()
  await expect(reply).toBeVisible()
  await lucia.says('De chocolate')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect.poll(isBeneathPointer, 'it has moved on').toBe(false)
  await expect(reply).toHaveCount(1)
  const press = async (meanwhile: string) => {
    await reply.hover()
    await page.mouse.down()
    const before = await page.getByRole('article').count()
    await lucia.says(meanwhile)
    await expect(page.getByRole('article')).toHaveCount(before + 1)
  }
  await press('Con crema')
  await page.mouse.up()
  await expect(page.locator('.composer-reply')).toContainText('¿Hacen tortas?')
  await page.getByRole('button', { name: 'No responder a ese mensaje' }).click()
  await asked.getByRole('article').hover()
  await press('Con frutillas\ny con nueces\ny una vela')
  await expect.poll(isBeneathPointer, 'it has moved on').toBe(false)
  await page.mouse.up()
  await expect(page.locator('.composer-reply')).toContainText('¿Hacen tortas?')
})

test('the tools of our message are fully inside the thread, at any width', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Qué tortas hacen?')
  await openInbox(page, lucia.phone)
  const composer = page.getByRole('textbox', { name: /Lucía Méndez/ })
  await composer.fill('De chocolate, de crema, de frutillas, de nueces y de manzana; '.repeat(4))
  await composer.press('Enter')
  const said = page.locator('.said').last()
  await expect(said).toContainText('De chocolate')
  const side = page.locator('#contact-side')
  for (const { width, isContactBeside } of [
    { width: 1440, isContactBeside: false },
    { width: 1440, isContactBeside: true },
    { width: 1024, isContactBeside: false },
    { width: 800, isContactBeside: false },
    { width: 390, isContactBeside: false },
  ]) {
    await page.setViewportSize({ width, height: 900 })
    if (width >= 1440 && (await side.isVisible()) !== isContactBeside) await page.locator('.who-button').click()
    await expect(side).toBeVisible({ visible: isContactBeside })
    await said.getByRole('article').hover()
    const tools = said.locator('.bubble-tools button')
    await expect(tools).toHaveCount(5)
    for (const tool of await tools.all())
      await expect(tool, `${await tool.getAttribute('aria-label')} at ${width}`).toBeInViewport({ ratio: 0.99 })
    await picture(page, `tools of a message at ${width}${isContactBeside ? ', contact beside' : ''}`)
  }
})

test('a phone number links to its conversation, or to a new one', { tag: '@nightly' }, async ({
  page,
  org,
  complaints,
  openInbox,
}) => {
  complaints.announce(/^404 /)
  const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
  await pedro.says('Buenas')
  await lucia.says(`Escribile a mi socio, +${pedro.phone}, o al 11 5555-9876`)
  await openInbox(page, lucia.phone)
  const said = page.getByRole('article')
  await said.getByRole('link', { name: '11 5555-9876' }).click()
  await expect(page.getByText('Todavía no hay un chat con el +54 9 11 5555 9876')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enviar una plantilla' })).toBeFocused()
  await page.goBack()
  await said.getByRole('link', { name: `+${pedro.phone}` }).click()
  await expect(page.getByRole('heading', { name: 'Pedro Gil' })).toBeVisible()
})

test('messages of the page cover neither the last message nor the header', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  for (let n = 1; n <= 12; n += 1) await lucia.says(`${n}: ${'una línea y otra; '.repeat(6)}`)
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await openInbox(page, lucia.phone)
    await expect(page.getByRole('article').last()).toBeInViewport()
    await page.getByRole('button', { name: 'Más acciones' }).click()
    await page.getByRole('menuitem', { name: 'Marcar como no leído' }).click()
    const toast = page.locator('.notistack-MuiContent').filter({ hasText: 'no leída' })
    await expect(toast).toBeVisible()
    const boxOf = async (part: ReturnType<typeof box>) =>
      (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [words, log, last] = [
      await boxOf(toast),
      await boxOf(box(page)),
      await boxOf(page.getByRole('article').last()),
    ]
    expect(words.y, `below the head at ${viewport.width}`).toBeGreaterThanOrEqual(log.y)
    expect(words.x).toBeGreaterThanOrEqual(log.x)
    expect(words.y + words.height, `above what was said last at ${viewport.width}`).toBeLessThan(last.y)
    await picture(page, `toast in a chat at ${viewport.width}`)
  }
})

test('Tab continues at the first expandable card', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  const contacts = Array.from({ length: 7 }, (_, i) => ({
    name: { formatted_name: `Persona ${i}`, first_name: 'Persona' },
    phones: [{ phone: `+54 9 11 4444-001${i}`, wa_id: `549114444001${i}` }],
  }))
  await lucia.does({ type: 'contacts', raw: { contacts } })
  await openInbox(page, lucia.phone)
  await page.getByRole('button', { name: '2 más' }).press('Enter')
  const sixth = page.locator('.card-part').filter({ hasText: 'Persona 5' })
  await expect(sixth).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(sixth.getByRole('link')).toBeFocused()
})
