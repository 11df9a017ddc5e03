import { paths } from '#shared/kernel/paths.ts'
import type { StatsNow } from '#shared/stats/now.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, tabTo, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'
import { looks } from './looks.ts'

const tall = process.env.PICTURES ? { height: 1_600 } : {}
const sizes = { wide: { width: 1440, height: 900, ...tall }, narrow: { width: 390, height: 844, ...tall } } as const
const words = {
  es: {
    locale: 'es-AR',
    waits: 'Quién espera',
    all: 'Ver las 2 conversaciones',
    left: /Quedan \d+\smin/,
    head: /Responder en \d+\smin/,
    row: /Responder en \d+\smin/,
    none: 'Nadie espera la primera respuesta.',
    promise: 'Primera respuesta prometida, en minutos',
    fault: 'Escribí un número entero de minutos, de 1 a 10.080, o dejalo vacío.',
    save: 'Guardar',
    saved: 'Guardado',
    noPromise: 'No hay una promesa de primera respuesta.',
  },
  en: {
    locale: 'en-GB',
    waits: 'Who is waiting',
    all: 'View the 2 conversations',
    left: /\d+\smin left/,
    head: /Reply in \d+\smin/,
    row: /Reply in \d+\smin/,
    none: 'No one is waiting for a first response.',
    promise: 'First response target, in minutes',
    fault: 'Enter a whole number of minutes, from 1 to 10,080, or leave it empty.',
    save: 'Save',
    saved: 'Saved',
    noPromise: 'No first response target is set.',
  },
} as const

for (const { language, theme, size } of inTurn(looks))
  test.describe(`${language}, ${theme}, ${size}`, () => {
    const w = words[language]
    test.use({ locale: w.locale, colorScheme: theme, viewport: sizes[size] })

    test('who waits is shown live, and the time left in list and chat, until somebody answers', async ({
      page,
      org,
      openInbox,
    }) => {
      test.setTimeout(120_000)
      const [lucia, martin] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Martín Torres')]
      await lucia.says('Hola, ¿hacen envíos?')
      await org.until<StatsNow>('/stats/now', ({ unattended }) => unattended.count === 1)
      await page.goto(paths.statsNow(org.slug))
      const rows = page.getByRole('region', { name: w.waits }).locator('tbody tr')
      await expect(rows).toHaveCount(1)
      await expect(rows.first()).toContainText('Lucía Méndez')
      await expect(rows.first()).toContainText(w.left)
      await martin.says('¿Tienen medialunas?')
      await expect(rows, 'without a reload').toHaveCount(2, { timeout: 20_000 })
      await expect(rows.last()).toContainText('Martín Torres')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'stats-now')

      const all = page.getByRole('link', { name: w.all })
      await tabTo(page, all)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/show=unattended/)
      await expect(page.locator('main tbody tr')).toHaveCount(2)
      await page.goBack()

      const link = rows.first().getByRole('link')
      await tabTo(page, link)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(new RegExp(`/c/${lucia.phone}`))
      const head = page.locator('.pane-head .head-due')
      await expect(head).toContainText(w.head)
      await expectAccessible(page)
      await picture(page, 'stats-now-chat')
      await org.call('POST', '/whatsapp/messages', { numberTel: lucia.phone, message: 'Sí, a toda la ciudad.' })
      await expect(head).toHaveCount(0)

      await openInbox(page)
      const due = page.locator('.row-waits')
      await expect(due).toHaveCount(1)
      await expect(due).toContainText(w.row)
      await expectAccessible(page)
      await picture(page, 'stats-now-list')
      await org.call('POST', '/whatsapp/messages', { numberTel: martin.phone, message: 'De manteca y de grasa.' })
      await expect(due).toHaveCount(0)
      await org.until<StatsNow>('/stats/now', ({ unattended }) => unattended.count === 0)
      await page.goto(paths.statsNow(org.slug))
      await expect(page.getByText(w.none)).toBeVisible()
      await expectAccessible(page)
    })

    test('an empty field of the settings promises nothing, and the page says so', { tag: '@nightly' }, async ({
      page,
      org,
      complaints,
    }) => {
      complaints.announce(/^400 PATCH \/api\/organization\/settings$/)
      const lucia = org.customer(1, 'Lucía Méndez')
      await lucia.says('Hola, ¿hacen envíos?')
      await org.until<StatsNow>('/stats/now', ({ unattended }) => unattended.count === 1)
      await page.goto(paths.settingsOf(org.slug, 'attention'))
      const field = page.getByLabel(w.promise)
      await field.fill('0')
      await page.keyboard.press('Enter')
      await expect(page.getByText(w.fault)).toBeVisible()
      await field.fill('')
      // Until the refused attempt has ended, another one is not begun.
      const save = page.locator('form').filter({ has: field }).getByRole('button', { name: w.save })
      await expect(save).toHaveAttribute('aria-disabled', 'false')
      await page.keyboard.press('Enter')
      await expect(page.getByText(w.saved, { exact: true }).first()).toBeVisible()
      await expect(field).toHaveValue('')
      await page.goto(paths.statsNow(org.slug))
      await expect(page.getByText(w.noPromise).first()).toBeVisible()
      const row = page.getByRole('region', { name: w.waits }).locator('tbody tr')
      await expect(row).toContainText('Lucía Méndez')
      await expect(row).not.toContainText(w.left)
      await expectAccessible(page)
      await picture(page, 'stats-now-no-promise')
    })
  })
