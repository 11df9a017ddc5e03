import { newId } from '#server/platform/crypto/ids.ts'
import { paths } from '#shared/kernel/paths.ts'
import { aMember } from '#test/helpers/actors.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    search: 'Buscar',
    placeholder: 'Escribí un comando o buscá...',
    empty: 'Sin resultados.',
    groups: ['Conversaciones', 'Trabajo', 'Organización', 'Organizaciones', 'Preferencias'],
    page: 'Estadísticas',
  },
  en: {
    search: 'Search',
    placeholder: 'Type a command or search...',
    empty: 'No results found.',
    groups: ['Conversations', 'Work', 'Organization', 'Organizations', 'Preferences'],
    page: 'Statistics',
  },
} as const

const palette = (page: Page) => page.locator('dialog.palette')
const field = (page: Page) => palette(page).getByRole('combobox')
const list = (page: Page) => palette(page).getByRole('listbox')
const options = (page: Page) => palette(page).getByRole('option')
const option = (page: Page, name: string) => palette(page).getByRole('option', { name, exact: true })
const headings = (page: Page) => palette(page).locator('[cmdk-group]:not([hidden]) [cmdk-group-heading]')
const searchButton = (page: Page, name = 'Buscar') =>
  page.locator('.topbar').getByRole('button', { name: new RegExp(name) })

/** Waits until the page handles keys. */
const visit = async (page: Page, path: string) => {
  await page.goto(path)
  await page.locator('.tooltip').waitFor({ state: 'attached' })
}
const open = async (page: Page) => {
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}

for (const [language, say] of inTurn(Object.entries(words)))
  for (const width of inTurn([1440, 390], 2))
    test.describe(`${language} at ${width}`, () => {
      test.use({
        locale: language === 'es' ? 'es-AR' : 'en-GB',
        viewport: { width, height: width === 390 ? 844 : 900 },
      })
      test('opens by key and by button, announces its entries, and returns the focus', async ({ page, org }) => {
        await org.customer(1).says('Hola')
        await visit(page, paths.stats(org.slug))
        await page.getByRole('link', { name: say.page, exact: true }).or(page.locator('.skip-link')).last().focus()
        const before = await page.evaluateHandle(() => document.activeElement)
        await open(page)
        await expect(field(page)).toHaveAttribute('placeholder', say.placeholder)
        await expect(headings(page)).toHaveText([...say.groups])
        await expectNoSidewaysScroll(page)
        await page.emulateMedia({ colorScheme: 'light' })
        await expectAccessible(page)
        await page.emulateMedia({ colorScheme: 'dark' })
        await expectAccessible(page)
        await picture(page, `palette-${language}-${width}`)
        await field(page).fill('qwxz')
        await expect(palette(page).getByText(say.empty, { exact: true })).toBeVisible()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await expect(palette(page)).toBeHidden()
        expect(await before.evaluate(element => element === document.activeElement), 'the focus is back').toBe(true)

        const button = searchButton(page, say.search)
        await button.click()
        await expect(field(page)).toBeFocused()
        await expect(field(page)).toHaveValue('')
        await field(page).fill(say.page)
        await page.keyboard.press('Enter')
        await expect(palette(page)).toBeHidden()
        await expect(button).toBeFocused()
      })
    })

test('each key does what it says', async ({ page, org }) => {
  await org.customer(1).says('Hola')
  await visit(page, paths.settings(org.slug))
  await open(page)
  await expect(option(page, 'Todas las organizaciones')).toBeVisible()
  await expect(headings(page)).toHaveCount(5)
  const last = (await options(page).count()) - 1
  const groupStarts = await options(page).evaluateAll(all =>
    all.flatMap((one, index) => (one.previousElementSibling ? [] : [index])),
  )
  const selected = () =>
    options(page).evaluateAll(all => all.findIndex(one => one.getAttribute('aria-selected') === 'true'))
  const press = async (key: string, index: number | undefined) => {
    await page.keyboard.press(key)
    await expect.poll(selected, { message: key }).toBe(index)
    await expect(field(page), key).toBeFocused()
  }
  await expect.poll(selected, { message: 'chats came in above the pages' }).toBe(0)
  await expect(options(page).first()).toContainText('Cliente 1')
  await test.step('one by one, and not past the ends', async () => {
    await press('ArrowUp', 0)
    await press('ArrowDown', 1)
    await press('Control+n', 2)
    await press('Control+j', 3)
    await press('Control+k', 2)
    await press('Control+p', 1)
    await press('ArrowUp', 0)
  })
  await test.step('to the ends', async () => {
    await press('End', last)
    await press('ArrowDown', last)
    await press('Home', 0)
    await press('Meta+ArrowDown', last)
    await expect(options(page).nth(last)).toBeInViewport()
    await press('Meta+ArrowUp', 0)
    await expect(options(page).first()).toBeInViewport()
  })
  await test.step('between the groups', async () => {
    expect(groupStarts).toHaveLength(5)
    for (const start of groupStarts.slice(1)) await press('Alt+ArrowDown', start)
    await press('ArrowDown', (groupStarts[4] as number) + 1)
    await press('Alt+ArrowUp', groupStarts[3])
    await press('Alt+ArrowUp', groupStarts[2])
  })
  await test.step('Meta+K and Escape close, Enter goes', async () => {
    await page.keyboard.press('Meta+k')
    await expect(palette(page)).toBeHidden()
    await open(page)
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
    await open(page)
    await press('ArrowDown', 1)
    await press('ArrowDown', 2)
    await press('ArrowDown', 3)
    await page.keyboard.press('Enter')
    await expect(palette(page)).toBeHidden()
    await expect(page).toHaveURL(paths.contacts(org.slug))
  })
})

test('typing ranks matches and hides the rest, with or without accents', { tag: '@nightly' }, async ({ page, org }) => {
  const marta = org.customer(7, 'Marta Núñez')
  await marta.says('Quiero empanadas')
  await org.customer(8, 'Otra persona').says('Buen día')
  await visit(page, paths.stats(org.slug))
  await open(page)
  await field(page).fill('estadisticas')
  await expect(options(page)).toHaveText(['Estadísticas'])
  await expect(headings(page)).toHaveText(['Trabajo'])
  await field(page).fill('plantilla')
  await expect(options(page).nth(1)).toHaveText('Crear plantilla')
  await expect(options(page).first()).toHaveText('Plantillas')
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
  await expect(headings(page), 'a setting has the word, too').toHaveText(['Trabajo', 'Configuración'])
  await test.step('a customer by name, by number and by what was written', async () => {
    for (const typed of ['marta nunez', marta.phone.slice(-8), 'empanadas']) {
      await field(page).fill(typed)
      await expect(options(page), typed).toHaveCount(1)
      await expect(options(page).first(), typed).toContainText('Marta Núñez')
    }
    await expect(options(page).first(), 'with what was written').toContainText('Quiero empanadas')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/around=/)
    await expect(page.getByRole('article').filter({ hasText: 'Quiero empanadas' })).toBeVisible()
    await open(page)
  })
  await test.step('what is inside, not what is behind it', async () => {
    await field(page).fill('nav.')
    await expect(palette(page).getByText('Sin resultados.')).toBeVisible()
  })
  await test.step('a page opened from here is among the recent ones', async () => {
    await field(page).fill('estadisticas')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(paths.stats(org.slug))
    await open(page)
    await expect(headings(page)).toHaveText([
      'Recientes',
      'Conversaciones',
      'Trabajo',
      'Organización',
      'Organizaciones',
      'Preferencias',
    ])
    await expect(option(page, 'Estadísticas')).toHaveCount(1)
  })
})

test('the list keeps its height and has an overlay scrollbar', { tag: '@nightly' }, async ({ page, org }) => {
  await visit(page, paths.stats(org.slug))
  await open(page)
  const sizes = () =>
    list(page).evaluate(element => ({
      height: element.getBoundingClientRect().height,
      scrolls: element.scrollHeight > element.clientHeight,
      most: getComputedStyle(element).maxHeight,
      thumb: getComputedStyle(element, '::-webkit-scrollbar-thumb').minHeight,
      colour: getComputedStyle(element, '::-webkit-scrollbar-thumb').backgroundColor,
    }))
  const nothing = 'rgba(0, 0, 0, 0)'
  await expect.poll(async () => (await sizes()).height).toBe(288)
  expect(await sizes()).toMatchObject({ most: '300px', thumb: '18px', scrolls: true, colour: nothing })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await list(page).hover()
  await expect.poll(async () => (await sizes()).colour).not.toBe(nothing)
  await field(page).hover()
  await page.clock.runFor(599)
  expect((await sizes()).colour).not.toBe(nothing)
  await page.clock.runFor(2)
  await expect.poll(async () => (await sizes()).colour).toBe(nothing)
  await page.clock.resume()
  await field(page).fill('estadisticas')
  await expect.poll(async () => (await sizes()).height).toBeLessThan(100)
  expect((await sizes()).scrolls, 'a short list does not scroll').toBe(false)
})

test('it lists organizations, conversations, theme, language and the page’s actions', { tag: '@nightly' }, async ({
  page,
  org,
  site,
}) => {
  const customer = org.customer(3, 'Marta')
  await customer.says('Hola')
  const norte = await aMember({ databases: site.databases, orgName: 'Zona Norte' })
  await site.databases.write
    .insertInto('member')
    .values({
      id: newId(),
      organizationId: norte.org.id,
      userId: org.owner.user.id,
      role: 'owner',
      createdAt: new Date().toISOString(),
    })
    .execute()
  await visit(page, paths.stats(org.slug))
  const choose = async (typed: string, name: string) => {
    await open(page)
    await field(page).fill(typed)
    await options(page).filter({ hasText: name }).first().click()
    await expect(palette(page)).toBeHidden()
  }
  for (const [name, path] of [
    ['Envíos masivos', paths.bulk(org.slug)],
    ['Crear plantilla', paths.templateCreate(org.slug)],
    ['Perfil', paths.settingsOf(org.slug, 'profile')],
    ['Administración', paths.org(org.slug)],
    ['Simulador', paths.simulator(org.slug)],
  ] as const) {
    await choose(name, name)
    // The newest of the simulator's customers may be selected at once.
    await expect(page).toHaveURL(({ pathname }) => pathname === path)
  }
  await choose('marta', 'Marta')
  await expect(page).toHaveURL(paths.chat(org.slug, customer.phone))
  await expect(page.getByText('Hola').last()).toBeVisible()
  await open(page)
  await expect(headings(page).first()).toHaveText('En esta página')
  await option(page, 'Archivar').click()
  await expect(page.getByText('Conversación archivada')).toBeVisible()
  await choose('oscuro', 'Tema: oscuro')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await choose('norte', 'Ir a Zona Norte')
  await expect(page).toHaveURL(paths.chats(norte.org.slug))
  // The frame changes a moment after the address.
  await expect(page.locator('#sidebar')).toContainText('Zona Norte')
  await choose('invitar', 'Invitar a alguien a Zona Norte')
  await expect(page.getByRole('dialog', { name: 'Invitar nuevo miembro' })).toBeVisible()
  await expect(page).toHaveURL(paths.org(norte.org.slug))
  await page.keyboard.press('Escape')
  await choose('ingles', 'Idioma: inglés')
  await expect(searchButton(page, 'Search')).toBeVisible()
  await choose('sign out', 'Sign out')
  await expect(page).toHaveURL(paths.orgLogin(norte.org.slug))
})

test('nobody is offered what their role may not open', async ({ page, org, another, site }) => {
  await org.customer(1, 'Marta').says('Hola')
  const offered = async (visitor: Page, path: string) => {
    await visit(visitor, path)
    await open(visitor)
    await expect(option(visitor, 'Perfil')).toBeAttached()
    if (path === paths.chats(org.slug)) await expect(options(visitor).filter({ hasText: 'Marta' })).toHaveCount(1)
    return options(visitor).allTextContents()
  }
  const viewer = await offered(await another(await org.colleague('Vera', 'viewer')), paths.chats(org.slug))
  expect(viewer).toEqual(expect.arrayContaining(['Chat', 'Plantillas', 'Estadísticas']))
  for (const closed of ['Envíos masivos', 'Crear plantilla', 'Integraciones', 'Simulador'])
    expect(viewer).not.toContain(closed)
  const billing = await offered(await another(await org.colleague('Bea', 'billing')), paths.stats(org.slug))
  expect(billing.slice(0, 1)).toEqual(['Estadísticas'])
  expect(billing.join()).not.toMatch(/Chat|Marta|Plantilla|Flujo|Simulador/)
  const cloud = await site.org({ connected: false })
  const hers = await offered(await another(cloud.owner), paths.stats(cloud.slug))
  expect(hers).not.toContain('Simulador')
  expect(await offered(page, paths.chats(org.slug))).toContain('Simulador')
})

test('keys pressed while its code loads are not lost and do not reach the page', {
  tag: '@nightly',
}, async ({ page, org }) => {
  const phone = org.customer(1).phone
  await org.customer(1).says('Hola')
  const gates: (() => void)[] = []
  await page.route('**/assets/palette-*.js', async route => {
    await new Promise<void>(resolve => gates.push(resolve))
    await route.continue()
  })
  const arrive = async () => {
    await expect.poll(() => gates.length).toBeGreaterThan(0)
    for (const gate of gates) gate()
  }
  await visit(page, paths.chat(org.slug, phone))
  const composer = page.locator('textarea').first()
  await composer.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await page.keyboard.type('a')
  await expect(composer).toHaveValue('a')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('plan')
  await expect(palette(page)).toHaveCount(0)
  await arrive()
  await expect(field(page)).toHaveValue('plan')
  await expect(options(page).first()).toHaveText('Plantillas')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await expect(composer).toBeFocused()
  await expect(composer).toHaveValue('a')
})

test('a click beside it only closes it', { tag: '@nightly' }, async ({ page, org }) => {
  await visit(page, paths.stats(org.slug))
  await open(page)
  const chat = page.locator('#sidebar').getByRole('link', { name: 'Chat', exact: true })
  const box = await chat.boundingBox()
  if (!box) throw new Error('The sidebar is not there')
  await test.step('a selection that ends outside is no such click', async () => {
    await field(page).hover()
    await page.mouse.down()
    await page.mouse.move(box.x + 5, box.y + 5)
    await page.mouse.up()
    await expect(palette(page)).toBeVisible()
  })
  await page.mouse.click(box.x + 5, box.y + 5)
  await expect(palette(page)).toBeHidden()
  await expect(page).toHaveURL(paths.stats(org.slug))
})
