import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'
import { looks } from './looks.ts'

const words = {
  es: {
    locale: 'es-AR',
    begin: 'Empezar',
    email: 'Correo electrónico',
    send: 'Enviar código',
    code: 'Código de seis dígitos',
    orgName: 'Nombre de la organización',
    slug: 'Dirección web',
    free: /Disponible: \/org\/panaderia-don-luis/,
    create: 'Crear organización',
    simulator: 'Usar el simulador',
    toChat: 'Ir al chat',
    empty: /Todavía no hay conversaciones/,
    unread: '1 mensaje sin leer',
    message: 'Mensaje para Lucía Méndez',
    delivered: 'Entregado',
    read: 'Leído',
    ours: 'Mensaje nuestro',
    theirs: 'Mensaje del cliente',
    back: 'Volver a la lista',
    notFound: 'Página no encontrada.',
    unauthorized: 'No tenés acceso a esta página',
  },
  en: {
    locale: 'en-GB',
    begin: 'Get started',
    email: 'E-mail',
    send: 'Send code',
    code: 'Six-digit code',
    orgName: 'Organization name',
    slug: 'Web address',
    free: /Available: \/org\/panaderia-don-luis/,
    create: 'Create organization',
    simulator: 'Use the simulator',
    toChat: 'Go to the chat',
    empty: /No conversations yet/,
    unread: '1 unread message',
    message: 'Message to Lucía Méndez',
    delivered: 'Delivered',
    read: 'Read',
    ours: 'Our message',
    theirs: 'Message from the customer',
    back: 'Back to the list',
    notFound: 'Page not found.',
    unauthorized: "You don't have access to this page",
  },
} as const

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const

for (const { language, theme, size } of inTurn(looks))
  test.describe(`${language}, ${theme}, ${size}`, () => {
    const w = words[language]
    test.use({ locale: w.locale, colorScheme: theme, viewport: sizes[size], installation: 'fresh' })

    test('from an empty installation to an answered customer', async ({ page, site, complaints }) => {
      // Twelve pages with axe on each: fast here, slow on a busy machine.
      test.setTimeout(180_000)
      const look = async (name: string) => {
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await picture(page, name)
      }
      await page.goto('/')
      await look('home')
      await page.getByRole('link', { name: w.begin }).click()
      await expect(page).toHaveURL(/\/login$/)
      await look('login-email')
      await page.getByLabel(w.email).fill('lucia@example.com')
      await page.getByRole('button', { name: w.send }).click()
      await expect(page.getByLabel(w.code)).toBeFocused()
      await look('login-code')
      await page.getByLabel(w.code).fill(site.mailedCode('lucia@example.com') ?? 'no letter came')

      await expect(page).toHaveURL(/\/company-creation$/)
      await page.getByLabel(w.orgName).fill('Panadería Don Luis')
      await expect(page.getByLabel(w.slug)).toHaveValue('panaderia-don-luis')
      await expect(page.getByText(w.free)).toBeVisible()
      await look('company-name')
      await page.getByRole('button', { name: w.create }).click()
      await expect(page.getByRole('button', { name: w.simulator })).toBeVisible()
      await look('company-number')
      await page.getByRole('button', { name: w.simulator }).click()
      await expect(page.getByRole('link', { name: w.toChat })).toBeVisible()
      await look('company-team')
      const stream = page.waitForResponse(response => new URL(response.url()).pathname === '/api/sse')
      await page.getByRole('link', { name: w.toChat }).click()

      await expect(page).toHaveURL(/\/org\/panaderia-don-luis\/c$/)
      // On a wide screen the list and the place of the chat both say it.
      await expect(page.getByText(w.empty).filter({ visible: true }).first()).toBeVisible()
      await stream
      await look('inbox-empty')

      // From here on nothing reloads: a property of window must survive.
      await page.evaluate(() => Object.assign(window, { untouched: true }))
      const headers = { 'x-organization': 'panaderia-don-luis' }
      await page.request.patch('/api/sandbox', { headers, data: { statusDelayMs: 100 } })
      const simulator = async (path: string, data: object) => {
        const response = await page.request.post(`/api/sandbox/${path}`, { headers, data })
        expect(response.status()).toBe(200)
        return response.json()
      }
      const from = '5491155550123'
      const customer = async (text: string) =>
        expect(await simulator('inbound', { from, name: 'Lucía Méndez', type: 'text', text })).toMatchObject({
          status: 200,
        })
      await customer('Hola, ¿tienen pan de masa madre?')
      const row = page.getByRole('link', { name: /Lucía Méndez/ })
      await expect(row).toContainText('¿tienen pan de masa madre?')
      await expect(row.getByLabel(w.unread)).toBeVisible()
      await look('inbox-unread')

      await row.click()
      await expect(page).toHaveURL(paths.chat('panaderia-don-luis', '5491155550123'))
      await expect(page.getByRole('article', { name: w.theirs })).toContainText('¿tienen pan de masa madre?')
      await expect(page.getByLabel(w.unread)).toHaveCount(0)

      await simulator('presence', { from, reads: false })
      const field = page.getByLabel(w.message)
      await field.fill('¡Hola! Sí, sale del horno a las once.')
      const answered = page.waitForResponse(response => response.url().endsWith('/api/whatsapp/messages'))
      await field.press('Enter')
      const bubble = page.getByRole('article', { name: w.ours })
      await expect(bubble).toContainText('sale del horno a las once')
      await expect(field).toHaveValue('')
      expect((await answered).status()).toBe(202)
      await expect(bubble.getByLabel(w.delivered)).toBeVisible({ timeout: 20_000 })
      await simulator('presence', { from, reads: true })
      await expect(bubble.getByLabel(w.read)).toBeVisible({ timeout: 20_000 })

      await customer('Buenísimo, paso a buscarlo')
      await expect(page.getByRole('article', { name: w.theirs })).toHaveCount(2)
      await look('chat')
      expect(
        await page.evaluate(() => (window as { untouched?: boolean }).untouched),
        'the page was never reloaded',
      ).toBe(true)
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)

      if (size === 'narrow') {
        await page.getByRole('link', { name: w.back }).click()
        await expect(row).toContainText('Buenísimo')
        await look('list')
      }
      complaints.announce(/^404 GET \/org\/panaderia-don-luis\/nowhere$/)
      await page.goto('/org/panaderia-don-luis/nowhere')
      await expect(page.getByRole('heading', { name: w.notFound })).toBeVisible()
      await look('not-found')
      await page.goto('/org/somebody-else/c')
      await expect(page).toHaveURL(/\/unauthorized$/)
      await expect(page.getByRole('heading', { name: w.unauthorized })).toBeVisible()
      await look('unauthorized')
    })
  })
