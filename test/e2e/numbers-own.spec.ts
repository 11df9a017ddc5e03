import { paths } from '#shared/kernel/paths.ts'
import { type FakeGraph, fakeGraph, graphError } from '#test/helpers/graph.ts'
import { test as base, expect, expectAccessible, expectNoSidewaysScroll, picture, Site, tabTo } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const first = { phoneNumberId: '106540352242922', wabaId: '102290129340398' }
const second = '106540352242999'
const success = { status: 200, body: { success: true } } as const

/** An account at Meta to which another number can be added. */
const accountAt = (graph: FakeGraph) => {
  const listed = [
    {
      id: first.phoneNumberId,
      display_phone_number: '+1 555-078-3881',
      code_verification_status: 'VERIFIED',
      status: 'CONNECTED',
    },
  ]
  const always = 1000
  graph.on(/^GET .*\/phone_numbers/, () => ({ status: 200, body: { data: listed } }), always)
  graph.on(
    /^POST .*\/phone_numbers/,
    () => {
      const unproved = { code_verification_status: 'NOT_VERIFIED', status: 'PENDING' }
      listed.push({ id: second, display_phone_number: '+54 9 11 5555-1234', ...unproved })
      return { status: 200, body: { id: second } }
    },
    always,
  )
  graph.on(
    new RegExp(`^GET .*/${second}\\?`),
    () => ({
      status: 200,
      body: { id: second, display_phone_number: '+54 9 11 5555-1234', verified_name: 'Panadería Norte' },
    }),
    always,
  )
  graph.on(/^POST .*\/(request_code|register)/, success, always)
  graph.on(
    /^POST .*\/verify_code/,
    ({ body }) =>
      (body as { code: string }).code === '123456' ? success : graphError(136025, 400, { error_subcode: 2388093 }),
    always,
  )
}

const test = base.extend<{ graph: FakeGraph }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters
  graph: async ({}, use) => {
    const graph = await fakeGraph()
    accountAt(graph)
    await use(graph)
    await graph.close()
  },
  site: async ({ graph }, use) => {
    const site = await Site.start('sqlite', () => ({ GRAPH_URL: graph.url }))
    await use(site)
    await site.end()
  },
})

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    scheme: 'light',
    add: 'Agregar otro número',
    phone: 'Número',
    name: 'Nombre que ven los clientes',
    byCall: 'Por llamada',
    ask: 'Pedir el código',
    called: /Meta llama a \+54 9 11 5555.1234/,
    code: 'Código',
    confirm: 'Confirmar y conectar',
    added: '+54 9 11 5555 1234 quedó conectado',
    actions: /^Acciones de/,
    rename: 'Cambiar el nombre',
    renamed: 'Nombre',
    up: 'Subir Ventas',
    first: 'Principal',
    disconnect: 'Desconectar',
    one: 'Hay un solo número.',
    missing: 'Completá este campo.',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    scheme: 'dark',
    add: 'Add another number',
    phone: 'Number',
    name: 'Name shown to customers',
    byCall: 'By phone call',
    ask: 'Request code',
    called: /Meta is calling \+54 9 11 5555.1234/,
    code: 'Code',
    confirm: 'Confirm and connect',
    added: '+54 9 11 5555 1234 is connected',
    actions: /^Actions for/,
    rename: 'Rename',
    renamed: 'Name',
    up: 'Move up Ventas',
    first: 'Primary',
    disconnect: 'Disconnect',
    one: 'You have one number.',
    missing: 'This field is required.',
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}, ${w.scheme}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 }, colorScheme: w.scheme })

    test('a number is added by code, named, made the first and disconnected, by keyboard alone', async ({
      site,
      another,
      complaints,
    }) => {
      complaints.announce(
        /^400 POST .*verify\/auth/,
        // The details of the only number are requested again when it becomes one of two, and the other way round.
        /^40[04] GET .*connection\/(standing|profile)/,
      )
      const org = await site.org({ connected: false })
      await org.call('PUT', '/whatsapp/connection', {
        ...first,
        accessToken: 'EAAG-of-a-story',
        appSecret: 'the-app-secret-1',
      })
      const page = await another(org.owner)
      const dialog = page.getByRole('dialog')
      const press = async (name: string) => {
        await tabTo(page, page.getByRole('button', { name, exact: true }))
        await page.keyboard.press('Enter')
      }
      await page.goto(paths.settingsOf(org.slug, 'whatsapp'))
      await expect(page.getByText(w.one)).toBeVisible()

      await press(w.add)
      await expect(dialog).toBeVisible()
      await tabTo(page, dialog.getByRole('button', { name: w.ask }))
      await page.keyboard.press('Enter')
      await expect(dialog.getByText(w.missing)).toHaveCount(2)
      await dialog.getByLabel(w.phone, { exact: true }).focus()
      await page.keyboard.type('11 5555-1234')
      await tabTo(page, dialog.getByLabel(w.name))
      await page.keyboard.type('Panadería Norte')
      await page.keyboard.press('Tab')
      await page.keyboard.press('ArrowDown')
      await expect(dialog.getByLabel(w.byCall)).toBeChecked()
      await expectAccessible(page)
      await picture(page, `add-${language}`)
      await page.keyboard.press('Enter')
      await expect(dialog.getByText(w.called)).toBeVisible()
      const code = dialog.getByLabel(w.code, { exact: true })
      await tabTo(page, code)
      await page.keyboard.type('654321')
      await page.keyboard.press('Enter')
      await expect(code).toHaveAttribute('aria-invalid', 'true')
      await expectAccessible(page)
      await picture(page, `code-${language}`)
      await code.fill('123456')
      // Until the refused attempt has ended, another one is not begun.
      await expect(dialog.locator('[type="submit"]')).not.toHaveAttribute('aria-disabled', 'true')
      await page.keyboard.press('Enter')
      await expect(page.getByText(w.added)).toBeVisible()
      const numbers = page.getByRole('list').filter({ has: page.getByText(w.first) })
      await expect(numbers.getByRole('listitem')).toHaveCount(2)

      await page.goto(paths.integrations(org.slug))
      const other = page.getByRole('region', { name: '+54 9 11 5555 1234' })
      await tabTo(page, other.getByRole('button', { name: w.actions }))
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: w.rename }).press('Enter')
      await dialog.getByLabel(w.renamed, { exact: true }).fill('Ventas')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('region', { name: 'Ventas' })).toContainText('+54 9 11 5555 1234')

      await page.goto(paths.settingsOf(org.slug, 'whatsapp'))
      await press(w.up)
      await expect(numbers.getByRole('listitem').first()).toContainText('Ventas')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, `ordered-${language}`)

      await tabTo(page, numbers.getByRole('link', { name: 'Ventas' }))
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Ventas' })).toBeVisible()
      await press(w.disconnect)
      await expect(dialog).toBeVisible()
      await expectAccessible(page)
      await picture(page, `let-go-${language}`)
      await tabTo(page, dialog.getByRole('button', { name: w.disconnect }))
      await page.keyboard.press('Enter')
      await expect(page.getByText(w.one)).toBeVisible()
    })
  })
