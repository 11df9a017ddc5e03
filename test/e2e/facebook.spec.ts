import { paths } from '#shared/kernel/paths.ts'
import { test as base, expect, expectAccessible, expectNoSidewaysScroll, picture, Site, tabTo } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const app = {
  META_APP_ID: '670843887433847',
  META_APP_SECRET: 'the-shared-app-secret',
  META_VERIFY_TOKEN: 'the-shared-verify-token',
  META_CONFIG_ID: '1234567890',
}

/** An installation whose Graph API is its own simulator, including the signup dialog. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters
  site: async ({}, use) => {
    const site = await Site.start('sqlite', url => ({ ...app, GRAPH_URL: `${url}/sandbox/graph` }))
    await use(site)
    await site.end()
  },
})

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    scheme: 'light',
    connect: 'Conectar con Facebook',
    go: 'Continuar con Facebook',
    allow: 'Continuar',
    refuse: 'Cancelar',
    left: 'La ventana se cerró antes de terminar.',
    check: 'Revisar conexión',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    scheme: 'dark',
    connect: 'Connect with Facebook',
    go: 'Continue with Facebook',
    allow: 'Continue',
    refuse: 'Cancel',
    left: 'The window was closed before finishing.',
    check: 'Check connection',
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}, ${w.scheme}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 }, colorScheme: w.scheme })

    test('a business signs up in the dialog by keyboard alone, and its number is connected', async ({
      page,
      site,
      context,
      another,
    }) => {
      const org = await site.org({ connected: false })
      const owner = await another(org.owner)
      await owner.goto(paths.settingsOf(org.slug, 'whatsapp'))
      await tabTo(owner, owner.getByRole('link', { name: w.connect }))
      await owner.keyboard.press('Enter')
      await owner.waitForURL(`**${paths.facebook(org.slug)}`)
      const go = owner.getByRole('button', { name: w.go })
      await tabTo(owner, go)
      await expectAccessible(owner)
      await expectNoSidewaysScroll(owner)
      await picture(owner, `page-${language}`)

      const open = async () => {
        const opened = owner.waitForEvent('popup')
        await owner.keyboard.press('Enter')
        const dialog = await opened
        await expect(dialog.getByRole('button', { name: w.allow, exact: true })).toBeVisible()
        return dialog
      }
      const first = await open()
      await expectAccessible(first)
      await picture(first, `dialog-${language}`)
      await tabTo(first, first.getByRole('button', { name: w.refuse }))
      // The dialog closes during the key press.
      await first.keyboard.press('Enter').catch(() => {})
      await expect(owner.getByText(w.left)).toBeVisible()
      await expect(go).toBeFocused()

      const second = await open()
      await tabTo(second, second.getByRole('button', { name: w.allow, exact: true }))
      await second.keyboard.press('Enter').catch(() => {})
      await owner.waitForURL(`**${paths.settingsOf(org.slug, 'whatsapp')}`)
      await expect(owner.getByRole('button', { name: w.check })).toBeVisible()
      await picture(owner, `connected-${language}`)

      // From here on, as with Meta, customers' messages arrive by the app's webhook.
      await org.call('POST', '/sandbox/inbound', { from: '5491155550177', name: 'Lucía', text: 'Hola' })
      await owner.goto(paths.chats(org.slug))
      await expect(owner.getByRole('link', { name: /Lucía/ })).toBeVisible()
      await page.close()
      await context.close()
    })
  })

base(
  'where no app is set up the page says what to do, and offers no button',
  { tag: '@nightly' },
  async ({ page, org }) => {
    await page.goto(paths.settingsOf(org.slug, 'whatsapp'))
    const card = page.getByRole('region', { name: 'Conectar con Facebook' })
    await card.getByText('Cómo prepararlo').click()
    await expect(card.getByText('META_CONFIG_ID')).toBeVisible()
    await expect(card.getByRole('link')).toHaveCount(0)
    await expectAccessible(page)
  },
)
