import { expect, expectAccessible, intercept, type Page, picture, test } from './fixtures.ts'

const list = (page: Page) => page.getByRole('navigation', { name: 'Conversaciones' })
const rows = (page: Page) => list(page).getByRole('link')
const results = (page: Page) => page.getByRole('navigation', { name: 'Resultados de la búsqueda' })
const hits = (page: Page) => results(page).getByRole('link')
const search = (page: Page) => page.getByRole('searchbox', { name: 'Buscar conversaciones' })

test('65 conversations: the list loads to its end, and the search finds by name, number and text', async ({
  page,
  org,
  openInbox,
}) => {
  const total = 65
  for (let n = 1; n <= total; n += 1)
    await org.customer(n, n === 7 ? 'Íñigo Peña' : `Cliente ${n}`).says(n === 9 ? 'Una rosca de pascua' : 'Hola')
  await openInbox()
  await expect(rows(page)).toHaveCount(30)
  await expect(async () => {
    await list(page).evaluate(one => one.scrollTo({ top: one.scrollHeight }))
    await expect(page.getByText('No hay más conversaciones')).toBeVisible({ timeout: 500 })
  }).toPass()
  await list(page).evaluate(one => one.scrollTo({ top: one.scrollHeight }))
  await expect(rows(page).last()).toContainText('Cliente 1')
  await expect(rows(page).last()).toBeInViewport()
  expect(await rows(page).count(), 'those that are near').toBeLessThan(total)
  await list(page).evaluate(one => one.scrollTo({ top: 0 }))
  await expect(rows(page).first()).toContainText(`Cliente ${total}`)
  await expect(rows(page).first()).toBeInViewport()

  for (const [typed, found] of [
    ['inigo pena', 'Íñigo Peña'],
    ['+54 9 11 5501-0012', 'Cliente 12'],
    ['11 5501 0012', 'Cliente 12'],
    ['rosca', 'Cliente 9'],
  ] as const) {
    await search(page).fill(typed)
    await expect(hits(page), typed).toHaveCount(1)
    await expect(hits(page)).toContainText(found)
  }
  await page.reload()
  await expect(search(page)).toHaveValue('rosca')
  await expect(hits(page)).toHaveCount(1)
  await search(page).fill('nada de esto')
  await expect(page.getByText('Nada coincide con «nada de esto».')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Borrar búsqueda' }).click()
  await expect(rows(page).first()).toContainText('Cliente 65')

  // With one pane, the list behind an open conversation requests no further pages by itself.
  await page.setViewportSize({ width: 390, height: 844 })
  await rows(page).first().click()
  await expect(page.getByRole('textbox', { name: /^Mensaje para/ })).toBeVisible()
  const further: string[] = []
  page.on('request', request => {
    if (/\/conversations\?.*page=(?!1$)\d/.test(request.url())) further.push(request.url())
  })
  await page.reload()
  const composer = page.getByRole('textbox', { name: /^Mensaje para/ })
  await composer.fill('Ya va')
  await composer.press('Enter')
  await expect(page.getByRole('article').last()).toContainText('Ya va')
  expect(further).toEqual([])
})

test('a click counts although its row is re-rendered under the pointer', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  await org.customer(2, 'Pedro Gil').says('Buenas')
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Está el pedido?')
  await openInbox()
  await rows(page).getByText('¿Está el pedido?').hover()
  await page.mouse.down()
  await lucia.says('¿Hola?')
  await expect(rows(page).first()).toContainText('¿Hola?')
  await page.mouse.up()
  await expect(page.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' })).toBeVisible()
})

test('a search result opens its message, and from there the newest ones', async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  const total = 110
  for (let n = 1; n <= total; n += 1) await lucia.says(n === 20 ? 'La torta era de Frutilla' : `mensaje ${n}.`)
  await openInbox()
  await search(page).fill('frutílla')
  await expect(hits(page).locator('mark')).toHaveText('Frutilla')
  await search(page).press('ArrowDown')
  await expect(hits(page).first()).toBeFocused()
  await page.keyboard.press('Enter')
  const messages = page.getByRole('log')
  await expect(messages.getByText('La torta era de Frutilla')).toBeInViewport()
  await expect(messages.getByText(`mensaje ${total}.`)).toHaveCount(0)
  await expect(hits(page).first()).toBeFocused()
  await picture(page, 'search')
  await expectAccessible(page)
  await expect(async () => {
    await messages.evaluate(one => one.scrollTo({ top: 0 }))
    await expect(messages.getByText(`mensaje ${total}.`)).toHaveCount(1, { timeout: 500 })
  }).toPass()
  const said = await messages.locator('.bubble-text').allTextContents()
  expect(said.filter(text => /^mensaje \d+\.$/.test(text)).map(text => Number.parseInt(text.slice(8), 10))).toEqual(
    Array.from({ length: total }, (_, i) => i + 1).filter(n => n !== 20 && n > total - said.length),
  )
  await page.keyboard.press('Escape')
  await expect(search(page)).toBeFocused()
  await lucia.says('Y otra cosa')
  await expect(messages.getByText('Y otra cosa')).toHaveCount(1)
})

test('a search says where it looks, and offers the values of its operators', async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Una torta de frutilla')
  await org.customer(2, 'Pedro Gil').says('Otra torta')
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/tags', { label: 'Cliente frecuente' })
  await org.untilKnown(lucia.phone, 20_000)
  await org.call('PUT', `/whatsapp/chats/${lucia.phone}/tags/${id}`)
  await openInbox()
  await search(page).fill('torta')
  await expect(hits(page)).toHaveCount(2)
  const scope = (name: string) => page.getByRole('group', { name: 'Dónde buscar' }).getByRole('button', { name })
  await expect(scope('Todo')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: /^Mías/ }), 'the lists filter nothing here').toBeHidden()
  await scope('Archivadas').click()
  await expect(page.getByText(/^Nada coincide/)).toBeVisible()
  await scope('Abiertas').click()
  await expect(hits(page)).toHaveCount(2)
  await expectAccessible(page)
  await scope('Todo').click()
  await expect(search(page)).toHaveValue('torta')

  await page.getByRole('button', { name: 'Etiqueta', exact: true }).click()
  await expect(search(page)).toBeFocused()
  await expect(page.getByRole('button', { name: 'Cliente frecuente' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(search(page)).toHaveValue('torta etiqueta:"Cliente frecuente" ')
  await expect(search(page)).toBeFocused()
  await expect(hits(page)).toHaveCount(1)
  await expect(hits(page)).toContainText('Lucía Méndez')
  await picture(page, 'search-values')
  await search(page).fill('etiqueta:otra')
  await expect(page.getByText('Ninguna etiqueta empieza con «otra».')).toBeVisible()
  await search(page).fill('')
  await page.getByRole('button', { name: /^Sin asignar/ }).click()
  await search(page).fill('Pedro')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Buscar en todo' }).click()
  await expect(scope('Todo')).toHaveAttribute('aria-pressed', 'true')
})

test('a single conversation is searched, beside the thread and on a phone', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Una torta de frutilla')
  await org.customer(2, 'Pedro Gil').says('Otra torta')
  await openInbox(page, lucia.phone)
  await search(page).fill('torta')
  await expect(hits(page)).toHaveCount(2)
  const here = page.getByRole('button', { name: 'Este chat' })
  await here.click()
  await expect(here).toHaveAttribute('aria-pressed', 'true')
  await expect(hits(page)).toHaveCount(1)
  await expect(hits(page)).toContainText('Lucía Méndez')
  await picture(page, 'search-here')
  await expectAccessible(page)
  await here.click()
  await expect(hits(page)).toHaveCount(2)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('buscar en este')
  await page.keyboard.press('Enter')
  await expect(search(page)).toBeFocused()
  await expect(search(page)).toHaveAttribute('placeholder', 'Buscar en este chat')
  await search(page).fill('torta')
  await expect(hits(page)).toHaveCount(1)

  await search(page).fill('')
  await expect(search(page)).toHaveAttribute('placeholder', 'Buscar en chats')

  await page.setViewportSize({ width: 390, height: 844 })
  await openInbox(page, lucia.phone)
  await page.locator('.who-button').click()
  await page.getByRole('button', { name: 'Acciones del contacto' }).click()
  await page.getByRole('menuitem', { name: 'Buscar en este chat' }).click()
  await expect(search(page)).toBeFocused()
  await search(page).fill('torta')
  await expect(hits(page)).toHaveCount(1)
  await picture(page, 'search-here-390')
  await hits(page).click()
  await expect(page.getByRole('log').getByText('Una torta de frutilla')).toBeVisible()
})

test('archived conversations leave the list and return; a conversation can be marked unread', async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  const row = rows(page).filter({ hasText: 'Lucía Méndez' })
  await expect(row).toBeVisible()
  await expect(row.getByLabel(/sin leer/)).toHaveCount(0)

  await page.getByRole('button', { name: 'Marcar como no leído' }).click()
  await expect(row.getByLabel('1 mensaje sin leer')).toBeVisible()

  await page.locator('.assignee-button', { hasText: 'Sin asignar' }).click()
  const people = page.getByRole('combobox', { name: 'Buscar una persona o un equipo' })
  await expect(people).toBeFocused()
  await people.fill('asignarme')
  await picture(page, 'assigning')
  await people.press('Enter')
  await expect(people).toHaveCount(0)
  await expect(row).toContainText('Vos')
  await expect(page.getByRole('button', { name: 'Asignada a Vos' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^Mensaje para/ })).toBeFocused()

  await page.getByRole('button', { name: 'Archivar' }).click()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(row).toContainText('Vos')
  await expect(page.getByRole('button', { name: 'Mías 1' })).toBeVisible()
  await page.getByRole('button', { name: 'Archivar' }).click()
  // The previous toast may still be closing.
  await expect(page.getByText('Conversación archivada').last()).toBeVisible()
  await expect(row).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Filtros' }).click()
  await page.getByRole('checkbox', { name: 'Archivadas' }).check()
  await page.keyboard.press('Escape')
  await expect(row).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await row.click()
  await page.getByRole('button', { name: 'Desarchivar' }).click()
  await expect(page.getByText('No hay conversaciones archivadas.')).toBeVisible()
  await page.getByRole('button', { name: 'Abiertas' }).click()
  await expect(row).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
})

test('the list is navigated with the arrow keys and opened with Enter, with a visible focus', async ({
  page,
  org,
  openInbox,
}) => {
  for (const n of [1, 2, 3]) await org.customer(n).says('Hola')
  await openInbox()
  await rows(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  const second = rows(page).nth(1)
  await expect(second).toBeFocused()
  await expect(second).toHaveCSS('outline-style', 'solid')
  await expect(second).toHaveCSS('outline-width', '2px')
  await page.keyboard.press('End')
  await expect(rows(page).last()).toBeFocused()
  await page.keyboard.press('Home')
  await expect(rows(page).first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Cliente 2' })).toBeVisible()
  await expect(second).toHaveAttribute('aria-current', 'true')

  // Several at once: selected by a key and by a click, archived, and restored.
  await rows(page).first().focus()
  await page.keyboard.press('x')
  const tools = page.getByRole('toolbar', { name: 'Conversaciones seleccionadas' })
  await expect(tools.getByText('1 seleccionada')).toBeVisible()
  await rows(page)
    .last()
    .click({ modifiers: ['Shift'] })
  await expect(tools.getByText('3 seleccionadas')).toBeVisible()
  await picture(page, 'several')
  await expectAccessible(page)
  await tools.getByRole('button', { name: 'Archivar' }).click()
  await expect(page.getByText('Todas las conversaciones están archivadas.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ver las archivadas' })).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(rows(page)).toHaveCount(3)
  // An assignment by mistake is undone: all of them wait again.
  const waiting = rows(page).filter({ hasText: 'Necesita persona' })
  await expect(waiting).toHaveCount(3)
  await rows(page).first().focus()
  await page.keyboard.press('x')
  await rows(page)
    .last()
    .click({ modifiers: ['Shift'] })
  await tools.getByRole('button', { name: 'Asignar la conversación' }).click()
  await page.getByRole('option', { name: 'Asignarme' }).click()
  await expect(waiting).toHaveCount(0)
  await page
    .locator('.notistack-MuiContent', { hasText: 'Asignación cambiada en 3 conversaciones' })
    .getByRole('button', { name: 'Deshacer' })
    .click()
  await expect(waiting).toHaveCount(3)
  // Unarchiving by mistake is undone: they are archived again.
  await tools.getByRole('button', { name: 'Archivar' }).click()
  await page.getByRole('link', { name: 'Ver las archivadas' }).click()
  await expect(rows(page)).toHaveCount(3)
  await rows(page).first().focus()
  await page.keyboard.press('x')
  await rows(page)
    .last()
    .click({ modifiers: ['Shift'] })
  await tools.getByRole('button', { name: 'Desarchivar' }).click()
  await expect(rows(page)).toHaveCount(0)
  await page
    .locator('.notistack-MuiContent', { hasText: '3 conversaciones desarchivadas' })
    .getByRole('button', { name: 'Deshacer' })
    .click()
  await expect(rows(page)).toHaveCount(3)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Atajos de teclado' })).toBeVisible()
})

test('an unknown number is reported beside the list, and its first message opens the conversation', {
  tag: '@nightly',
}, async ({ page, org, openInbox, complaints }) => {
  complaints.announce(/^404 GET \/(org|api)\//)
  await org.customer(1, 'Lucía Méndez').says('Hola')
  const nobody = org.customer(2, 'Pedro Gil')
  await openInbox(page, nobody.phone)
  const said = page.getByText(/Todavía no hay un chat con/)
  await expect(said).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expectAccessible(page)
  await picture(page, 'missing')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(said).toBeVisible()
  await picture(page, 'missing-narrow')
  await page.getByRole('link', { name: 'Volver a la lista' }).click()
  await expect(page).toHaveURL(/\/c$/)
  await expect(rows(page)).toBeVisible()

  // Refused after the page was rendered: the same response with the same text.
  await intercept(
    page,
    url => url.pathname.includes(`/whatsapp/`) && url.pathname.includes(nobody.phone),
    async route => {
      await new Promise(resolve => setTimeout(resolve, 1_000))
      await route.continue()
    },
  )
  await page.goBack()
  await expect(said).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await nobody.says('Buenas')
  await rows(page).filter({ hasText: 'Pedro Gil' }).click()
  await expect(page.getByRole('heading', { name: 'Pedro Gil' })).toBeVisible()
})

test('a row that moves while it is pressed still opens', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  const pedro = org.customer(2, 'Pedro Gil')
  await pedro.says('Buenas')
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await openInbox(page)
  const row = page.getByRole('navigation', { name: 'Conversaciones' }).getByRole('link', { name: 'Lucía Méndez' })
  await row.hover()
  // Not by `:hover`: while a button is pressed the browser updates it only when the pointer moves.
  const topOf = () => row.evaluate(one => Math.round(one.getBoundingClientRect().top))
  const before = await topOf()
  await page.mouse.down()
  await pedro.says('¿Hay alguien?')
  await expect.poll(topOf, 'it has moved on').toBeGreaterThan(before)
  await page.mouse.up()
  await expect(page.getByRole('heading', { name: 'Lucía Méndez' })).toBeVisible()
})

test('in a dark system theme native boxes and scrollbars are dark, whatever was opened', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await org.customer(1).says('Hola')
  await openInbox(page)
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  const before = await scheme()
  await page.getByRole('button', { name: 'Filtros' }).click()
  await expect(page.getByRole('checkbox', { name: 'Archivadas' })).toBeVisible()
  expect(await scheme()).toBe(before)
  expect(before).toBe('light dark')
})

test('a conversation is prefetched while the pointer rests on its row', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Tienen pan?')
  await org.customer(2, 'Pedro Gil').says('Hola')
  await openInbox(page)
  const asked: string[] = []
  page.on('request', request => {
    if (request.method() === 'GET' && request.url().includes(`/chats/${lucia.phone}`)) asked.push(request.url())
  })
  const row = rows(page).filter({ hasText: 'Lucía Méndez' })
  await Promise.all([page.waitForResponse(answer => answer.url().includes(`/chats/${lucia.phone}`)), row.hover()])
  await row.click()
  await expect(page.getByRole('article').filter({ hasText: '¿Tienen pan?' })).toBeVisible()
  expect(asked).toHaveLength(1)
})
