import { readFileSync } from 'node:fs'
import { paths } from '#shared/kernel/paths.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  type Org,
  picture,
  type Site,
  tabTo,
  test,
} from './fixtures.ts'
import { inTurn } from './in-turn.ts'
import { looks } from './looks.ts'

const tall = process.env.PICTURES ? { height: 3_600 } : {}
const sizes = { wide: { width: 1440, height: 900, ...tall }, narrow: { width: 390, height: 844, ...tall } } as const
const words = {
  es: {
    locale: 'es-AR',
    menu: /^Exportar|^Exportando/,
    begin: /^Exportar conversaciones/,
    stop: 'Detener',
    stopped: /Detenida/,
    download: 'Descargar',
    progress: /312 de 1\.?000$/,
    rows: ' · Una fila',
    head: '\ufeffId;Número;',
    block: 'CSV: Primera respuesta',
    rhythm: 'Cada cuánto',
    weekly: 'Cada semana, los lunes',
    save: 'Guardar',
    next: /El próximo sale el/,
    now: 'Enviarme uno ahora',
    sent: /Va en camino a/,
    ask: /¿Dejar de recibir por correo/,
    confirm: 'Dejar de recibirlo',
    done: /no vas a recibir más/,
    unsubscribed: 'Dejó de recibirlo',
  },
  en: {
    locale: 'en-GB',
    menu: /^Export/,
    begin: /^Export conversations/,
    stop: 'Stop',
    stopped: /Stopped/,
    download: 'Download',
    progress: /312 of 1,000$/,
    rows: ' · 1 row',
    head: '\ufeffId,Number,',
    block: 'CSV: First response',
    rhythm: 'Frequency',
    weekly: 'Every week, on Monday',
    save: 'Save',
    next: /The next one is sent on/,
    now: 'Send me one now',
    sent: /On its way to/,
    ask: /Stop getting the statistics report/,
    confirm: 'Unsubscribe',
    done: /won't get the report/,
    unsubscribed: 'Unsubscribed',
  },
} as const

/** As if the only file of the organization was being written by a process that is slow. */
const keepRunning = async (site: Site, org: Org) => {
  const found = await site.databases.write
    .updateTable('stats_export')
    .set({ state: 'running', ended_at: null, done: 312, row_count: 1_000 })
    .where('org_id', '=', org.owner.org.id)
    .executeTakeFirst()
  expect(found.numUpdatedRows).toBe(1n)
}

for (const { language, theme, size } of inTurn(looks))
  test.describe(`${language}, ${theme}, ${size}`, () => {
    const w = words[language]
    test.use({ locale: w.locale, colorScheme: theme, viewport: sizes[size] })

    test('a file of conversations is made, fetched and stopped by keyboard', async ({ page, org, site }) => {
      await org.customer(1, '=Lucía').says('Hola')
      await org.until<{ figures: { attended: { value: number } } }>(
        '/stats/summary',
        ({ figures }) => figures.attended.value === 1,
      )
      await page.goto(paths.stats(org.slug))
      const menu = page.locator('.sheet-actions').getByRole('button', { name: w.menu }).first()
      const begin = page.getByRole('button', { name: w.begin })
      await tabTo(page, menu)
      await page.keyboard.press('Enter')
      await expect(begin).toBeFocused()
      await page.keyboard.press('Enter')
      const link = page.getByRole('link', { name: w.download })
      await expect(link).toBeVisible()
      await expect(page.getByText(w.rows)).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'export-done')
      await link.focus()
      const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      const lines = readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n')
      expect(lines).toHaveLength(2)
      expect(lines[0]).toContain(w.head)
      expect(lines[1]).toContain("'=Lucía")

      await page.keyboard.press('Escape')
      const [block] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: w.block }).click(),
      ])
      expect(
        readFileSync(await block.path(), 'utf8')
          .trimEnd()
          .split('\r\n'),
      ).toHaveLength(8)

      await keepRunning(site, org)
      await page.reload()
      await menu.press('Enter')
      const progress = page.getByRole('progressbar', { name: w.progress })
      await expect(progress).toHaveAttribute('value', '312')
      await expect(begin).toHaveAttribute('aria-disabled', 'true')
      await expectAccessible(page)
      await picture(page, 'export-running')
      await tabTo(page, page.getByRole('button', { name: w.stop }))
      await page.keyboard.press('Enter')
      await expect(page.getByText(w.stopped)).toBeVisible()
      await expect(progress).toHaveCount(0)
      await expect(begin).toHaveAttribute('aria-disabled', 'false')
    })

    test('the report is set, mailed, and unsubscribed without signing in', async ({ page, org, site, browser }) => {
      await org.customer(1, 'Lucía').says('Hola')
      await page.goto(paths.stats(org.slug))
      const rhythm = page.getByRole('combobox', { name: w.rhythm })
      await rhythm.selectOption({ label: w.weekly })
      const self = page.getByRole('checkbox', { name: org.owner.user.name })
      await tabTo(page, self)
      await page.keyboard.press('Space')
      await expectAccessible(page)
      await page.getByRole('button', { name: w.save, exact: true }).click()
      await expect(page.getByText(w.next)).toBeVisible()
      await expect(rhythm).toHaveValue('weekly')
      await expectNoSidewaysScroll(page)
      await picture(page, 'report')
      await tabTo(page, page.getByRole('button', { name: w.now }))
      await page.keyboard.press('Enter')
      await expect(page.getByText(w.sent)).toBeVisible()
      const link = await expect
        .poll(() => {
          try {
            return site.mailedUnsubscribe(org.owner.user.email)
          } catch {
            return ''
          }
        })
        .not.toBe('')
        .then(() => site.mailedUnsubscribe(org.owner.user.email))

      const context = await browser.newContext({
        locale: w.locale,
        colorScheme: theme,
        viewport: size === 'wide' ? { width: 1440, height: 900 } : { width: 390, height: 844 },
      })
      const stranger = await context.newPage()
      await stranger.goto(site.url + link)
      await expect(stranger.getByText(w.ask)).toBeVisible()
      await expectAccessible(stranger)
      await picture(stranger, 'unsubscribe')
      const confirm = stranger.getByRole('button', { name: w.confirm })
      await tabTo(stranger, confirm)
      await stranger.keyboard.press('Enter')
      await expect(stranger.getByText(w.done)).toBeVisible()
      await expectAccessible(stranger)
      await context.close()
      await page.reload()
      await expect(page.getByText(w.unsubscribed)).toBeVisible()
    })
  })
