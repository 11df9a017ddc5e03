import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    add: 'Nuevo cliente',
    name: 'Nombre',
    create: 'Crear',
    write: (name: string) => `Mensaje de ${name}`,
    mine: 'Mensaje del cliente',
    theirs: 'Mensaje del negocio',
    read: 'Leído por el negocio',
    actions: 'Acciones del mensaje',
    love: 'Reaccionar con ❤️',
    reply: 'Responder',
    edit: 'Editar',
    remove: 'Eliminar para todos',
    removed: 'Eliminaste este mensaje',
    back: 'Volver a los clientes',
    attach: 'Adjuntar',
    photo: 'Foto',
    menu: (name: string) => `Opciones de ${name}`,
    agentField: (name: string) => `Mensaje para ${name}`,
  },
  en: {
    locale: 'en-GB',
    add: 'New customer',
    name: 'Name',
    create: 'Create',
    write: (name: string) => `Message from ${name}`,
    mine: "Customer's message",
    theirs: 'Message from the business',
    read: 'Read by the business',
    actions: 'Message actions',
    love: 'React with ❤️',
    reply: 'Reply',
    edit: 'Edit',
    remove: 'Delete for everyone',
    removed: 'You deleted this message',
    back: 'Back to customers',
    attach: 'Attach',
    photo: 'Photo',
    menu: (name: string) => `Options for ${name}`,
    agentField: (name: string) => `Message to ${name}`,
  },
} as const

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const

/** The layout shift since the page loaded. */
const shifted = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        new PerformanceObserver(list => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 100)
      }),
  )

const act = async (page: Page, text: string, actions: string, action: string) => {
  const bubble = page.getByRole('article').filter({ hasText: text })
  await bubble.hover()
  await bubble.locator('..').getByRole('button', { name: actions }).click()
  await page.getByRole('button', { name: action, exact: true }).click()
}

for (const language of inTurn(['es', 'en'] as const))
  for (const size of inTurn(['wide', 'narrow'] as const, 2))
    test.describe(`${language}, ${size}`, () => {
      const w = words[language]
      test.use({
        locale: w.locale,
        viewport: sizes[size],
        colorScheme: language === 'es' ? 'light' : 'dark',
        hasTouch: size === 'narrow',
      })

      test('a customer writes on the phone, an agent answers, and both see the ticks', async ({
        page,
        org,
        another,
      }) => {
        const look = async (name: string) => {
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
          await picture(page, name)
        }
        await page.goto(paths.simulator(org.slug))
        await look('nobody')
        expect(await shifted(page)).toBeLessThanOrEqual(0.02)
        await page.getByRole('button', { name: w.add }).click()
        await page.getByLabel(w.name).fill('Marta Ruiz')
        await look('new')
        await page.getByRole('button', { name: w.create, exact: true }).click()
        const field = page.getByRole('textbox', { name: w.write('Marta Ruiz') })
        await field.fill('¿Tienen medialunas?')
        await field.press('Enter')
        await expect(page.getByRole('article', { name: w.mine })).toContainText('¿Tienen medialunas?')
        await expect(field).toHaveValue('')

        const agent = await another(org.owner)
        await agent.goto(paths.chats(org.slug))
        await agent.getByRole('link', { name: /Marta Ruiz/ }).click()
        const answer = agent.getByRole('textbox', { name: w.agentField('Marta Ruiz') })
        await answer.fill('Sí, recién horneadas')
        await answer.press('Enter')
        await expect(page.getByRole('article', { name: w.theirs })).toContainText('recién horneadas', {
          timeout: 20_000,
        })
        await expect(page.getByLabel(w.read)).toBeVisible({ timeout: 20_000 })
        await expect(agent.locator('.ticks-read').first()).toBeAttached({ timeout: 20_000 })
        await look('answered')

        await act(page, 'recién horneadas', w.actions, w.love)
        await expect(agent.locator('.reactions')).toContainText('❤️')
        await act(page, 'recién horneadas', w.actions, w.reply)
        await field.fill('Guardame dos docenas')
        await field.press('Enter')
        await expect(agent.getByRole('article').filter({ hasText: 'dos docenas' })).toContainText('recién horneadas')
        await act(page, 'dos docenas', w.actions, w.edit)
        await expect(field).toHaveValue('Guardame dos docenas')
        await field.fill('Guardame tres docenas')
        await field.press('Enter')
        await expect(agent.getByRole('article').filter({ hasText: 'tres docenas' })).toBeVisible()
        await act(page, 'tres docenas', w.actions, w.remove)
        await expect(page.getByRole('log').getByText(w.removed)).toBeVisible()
        await expect(agent.getByRole('article').filter({ hasText: 'tres docenas' })).toHaveCount(0)

        await page.getByRole('button', { name: w.attach }).click()
        await look('tray')
        await page.getByRole('button', { name: w.photo, exact: true }).click()
        await expect(page.locator('.sim-phone img.sim-image')).toBeVisible()
        await expect(agent.locator('.picture-image')).toBeVisible({ timeout: 20_000 })
        await look('photo')
        await page.getByRole('button', { name: w.menu('Marta Ruiz') }).click()
        await look('menu')
        await page.keyboard.press('Escape')
        if (size === 'narrow') {
          await page.getByRole('link', { name: w.back }).click()
          await expect(page.getByRole('link', { name: /Marta Ruiz/ })).toBeVisible()
          await look('list')
        }
      })
    })

const phoneOf = async (page: Page, slug: string, phone: string) => {
  await page.goto(`${paths.simulator(slug)}?customer=${phone}`)
  await expect(page.getByRole('region', { name: /^Teléfono de/ })).toBeVisible()
}

test('a phone without a connection gets nothing until it is back online', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await phoneOf(page, org.slug, lucia.phone)
  await page.getByRole('button', { name: 'Opciones de Lucía Méndez' }).click()
  await page.getByRole('switch', { name: 'Tiene conexión' }).click()
  await expect(page.getByText('Este teléfono no tiene conexión.')).toBeVisible()
  await org.call('POST', '/whatsapp/messages', { numberTel: lucia.phone, message: 'Te aviso cuando vuelvas' })
  await org.until<{ items: { status: string }[] }>(
    `/sandbox/outbox?to=${lucia.phone}`,
    ({ items }) => items[0]?.status === 'sent',
  )
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article', { name: 'Mensaje del negocio' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Conectarlo' }).click()
  await expect(page.getByRole('article', { name: 'Mensaje del negocio' })).toContainText('Te aviso', {
    timeout: 20_000,
  })
})

test('a customer who blocked the business gets nothing and can unblock it', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await phoneOf(page, org.slug, lucia.phone)
  await page.getByRole('button', { name: 'Opciones de Lucía Méndez' }).click()
  await page.getByRole('switch', { name: 'Bloqueó al negocio' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Bloqueaste al negocio.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Desbloquear' }).click()
  await expect(page.getByRole('textbox', { name: 'Mensaje de Lucía Méndez' })).toBeEditable()
})

test('letting a day pass closes the window on both sides', { tag: '@nightly' }, async ({ page, org, another }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await phoneOf(page, org.slug, lucia.phone)
  await expect(page.getByText(/^El negocio puede contestar hasta/)).toBeVisible()
  const agent = await another(org.owner)
  await agent.goto(paths.chat(org.slug, lucia.phone))
  await expect(agent.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' })).toBeEditable()
  await page.getByRole('button', { name: '+24 h' }).click()
  await expect(page.getByText('Pasaron 24 h sin escribir: el negocio no puede mandar texto libre.')).toBeVisible()
  await expect(agent.getByText('Pasaron más de 24 h desde el último mensaje del cliente.')).toBeVisible()
})

test('a prepared failure hits the next answer, and starting over empties the phone', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await phoneOf(page, org.slug, lucia.phone)
  await page.getByLabel('Qué falla').selectOption('131026')
  await page.getByRole('button', { name: 'Preparar' }).click()
  await expect(page.getByText('Preparada para el próximo mensaje: No se puede entregar')).toBeVisible()
  await org.call('POST', '/whatsapp/messages', { numberTel: lucia.phone, message: 'No llega' })
  await org.until<{ items: { status: string }[] }>(
    `/whatsapp/chats/${lucia.phone}`,
    ({ items }) => items.at(-1)?.status === 'failed',
  )
  await expect(page.getByRole('article', { name: 'Mensaje del negocio' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Vaciar el simulador' }).click()
  await page.getByRole('button', { name: 'Sí, vaciarlo' }).click()
  await expect(page.getByText('Todavía no hay clientes.')).toBeVisible()
})

test('events during a reset of the simulator restore no phone', { tag: '@nightly' }, async ({
  page,
  org,
  another,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await phoneOf(page, org.slug, lucia.phone)
  const colleague = await another(org.owner)
  await openInbox(colleague)
  await page.route('**/api/sandbox/reset', async route => {
    await lucia.says('Sigo acá')
    await expect(colleague.getByRole('listitem').filter({ hasText: 'Sigo acá' })).toBeVisible()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Vaciar el simulador' }).click()
  await page.getByRole('button', { name: 'Sí, vaciarlo' }).click()
  await expect(page.getByText('El simulador quedó vacío.')).toBeVisible()
  await expect(page.getByText('Todavía no hay clientes.')).toBeVisible()
})

test('on a wide screen the newest phone is open and stays; on a narrow one it is chosen', {
  tag: '@nightly',
}, async ({ page, org }) => {
  const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
  await lucia.says('Soy Lucía')
  await pedro.says('Soy Pedro')
  await page.goto(paths.simulator(org.slug))
  const phone = page.getByRole('region', { name: /^Teléfono de/ })
  await expect(phone).toHaveAccessibleName('Teléfono de Pedro Gil')
  await lucia.says('Sigo acá')
  await expect(page.getByRole('listitem').filter({ hasText: 'Sigo acá' })).toBeVisible()
  await expect(phone).toHaveAccessibleName('Teléfono de Pedro Gil')
  await page.setViewportSize(sizes.narrow)
  await page.goto(paths.simulator(org.slug))
  await expect(page.getByRole('link', { name: /Pedro Gil/ })).toBeVisible()
  await page.getByRole('link', { name: /Lucía Méndez/ }).click()
  await page.getByRole('link', { name: 'Volver a los clientes' }).click()
  await expect(page.getByRole('link', { name: /Pedro Gil/ })).toBeVisible()
  await expect(phone).toHaveCount(0)
})

test('a customer’s file is sent, one too large is refused with its size', { tag: '@nightly' }, async ({
  page,
  org,
  site,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await phoneOf(page, org.slug, lucia.phone)
  await page.getByRole('button', { name: 'Adjuntar' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByText('Un archivo tuyo…').click()
  await (await chooser).setFiles({ name: 'foto.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(700 * 1024, 1) })
  await expect(page.getByText(/«foto.jpg» pesa 700 KB/)).toBeVisible()
  await page.getByRole('button', { name: 'Adjuntar' }).click()
  const again = page.waitForEvent('filechooser')
  await page.getByText('Un archivo tuyo…').click()
  await (await again).setFiles({ name: 'lista.txt', mimeType: 'text/plain', buffer: Buffer.from('pan, facturas') })
  await expect(page.getByRole('link', { name: 'Guardar lista.txt' })).toBeVisible()
  // The phone shows the file at once; the message is stored once its webhook is processed.
  const storedTypes = async () => {
    const { read } = site.databases
    const rows = await read.selectFrom('message').select('type').where('org_id', '=', org.owner.org.id).execute()
    return rows.map(({ type }) => type)
  }
  await expect.poll(storedTypes).toContain('document')
})

test('two customers are simulated side by side, each on its own phone', { tag: '@nightly' }, async ({ page, org }) => {
  const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
  await lucia.says('Soy Lucía')
  await pedro.says('Soy Pedro')
  await phoneOf(page, org.slug, lucia.phone)
  await expect(page.getByRole('article')).toContainText('Soy Lucía')
  await page.getByRole('link', { name: /Pedro Gil/ }).click()
  await expect(page.getByRole('article')).toContainText('Soy Pedro')
  await page.getByRole('textbox', { name: 'Mensaje de Pedro Gil' }).fill('y sigo')
  await page.getByRole('textbox', { name: 'Mensaje de Pedro Gil' }).press('Enter')
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('link', { name: /Lucía Méndez/ }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('without a number the page shows how to connect one; a viewer is sent away', { tag: '@nightly' }, async ({
  page,
  site,
  another,
}) => {
  const org = await site.org({ connected: false })
  const owner = await another(org.owner)
  await owner.goto(paths.simulator(org.slug))
  await expect(owner.getByRole('heading', { name: 'El simulador no está conectado' })).toBeVisible()
  await expectAccessible(owner)
  await owner.getByRole('button', { name: 'Usar el simulador' }).click()
  await expect(owner.getByText('Todavía no hay clientes.')).toBeVisible()
  const viewer = await another(await org.colleague('Vera Mira', 'viewer'))
  await viewer.goto(paths.simulator(org.slug))
  await expect(viewer).toHaveURL(/\/unauthorized/)
  await page.close()
})

test('a user who navigates away is not redirected to the newest phone', { tag: '@nightly' }, async ({ page, org }) => {
  await org.customer(1, 'Marta').says('Hola')
  await page.setViewportSize({ width: 500, height: 800 })
  await page.goto(paths.simulator(org.slug))
  // Waits until its scripts run, because links need them.
  await page.locator('.tooltip').waitFor({ state: 'attached' })
  await expect(page.getByRole('link', { name: /Marta/ })).toBeVisible()
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route(/\/assets\/.*\.js$/, async route => {
    await held
    await route.continue()
  })
  // The navigation waits for its page; meanwhile the screen is wide enough for a phone.
  await page.evaluate(path => {
    const link = [...document.querySelectorAll('a')].find(one => one.getAttribute('href') === path)
    link?.click()
  }, paths.integrations(org.slug))
  await expect.poll(() => page.evaluate(() => matchMedia('(min-width: 768px)').matches)).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(() => page.evaluate(() => matchMedia('(min-width: 768px)').matches)).toBe(true)
  letGo()
  await expect(page).toHaveURL(paths.integrations(org.slug))
  await expect(page.getByRole('heading', { name: 'Integraciones', level: 1 })).toBeVisible()
})
