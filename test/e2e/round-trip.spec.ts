import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, tabTo, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    scheme: 'light',
    to: 'Tu número',
    begin: 'Mandar y esperar',
    invalid: 'Eso no es un número de teléfono.',
    heard: 'la conexión funciona en los dos sentidos',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    scheme: 'dark',
    to: 'Your phone number',
    begin: 'Send and wait',
    invalid: "That isn't a valid phone number.",
    heard: 'the connection works both ways',
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}, ${w.scheme}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 }, colorScheme: w.scheme })

    test('a message is sent and its status arrives, by keyboard alone', async ({ page, org, complaints }) => {
      complaints.announce(/^400 POST .*round-trip/)
      await page.goto(paths.settingsOf(org.slug, 'whatsapp'))
      const to = page.getByLabel(w.to)
      await tabTo(page, to)
      await page.keyboard.type('ninguno')
      await page.keyboard.press('Enter')
      await expect(page.getByText(w.invalid)).toBeVisible()
      await to.fill('11 5555-0188')
      await tabTo(page, page.getByRole('button', { name: w.begin }))
      await page.keyboard.press('Enter')
      await expect(page.getByText(w.heard)).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, `round-trip-${language}`)
    })
  })
