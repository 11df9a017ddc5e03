import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    open: 'Elegir cuáles traer',
    bringNone: 'Traer plantillas',
    none: 'Elegí al menos una.',
    bring: 'Traer 2 plantillas',
    done: 'Se trajo 1 plantilla. Meta la revisa.',
    missing: /archivo de ejemplo/,
    cancel: 'Cancelar',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    open: 'Choose which to copy',
    bringNone: 'Copy templates',
    none: 'Choose at least one.',
    bring: 'Copy 2 templates',
    done: '1 template copied. Meta will review it.',
    missing: /example file/,
    cancel: 'Cancel',
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 } })

    test('templates of the previous account are copied, and those that cannot be say why', { tag: '@nightly' }, async ({
      page,
      org,
      site,
    }) => {
      await org.call('POST', '/whatsapp/template/sync')
      const orgId = org.owner.org.id
      const { write } = site.databases
      // As if another account had been connected with them: Meta's image address is useless in this one.
      const named = (name: string, components: object[]) => ({
        name,
        waba_id: 'earlier',
        media: '[]',
        components: JSON.stringify(components),
      })
      const [first, second] = await write.selectFrom('template').select('id').where('org_id', '=', orgId).execute()
      const text = { type: 'BODY', text: 'Hoy hay torta de ricota.' }
      for (const [row, change] of [
        [first, named('torta_del_dia', [text])],
        [second, named('torta_con_foto', [{ type: 'HEADER', format: 'IMAGE' }, text])],
      ] as const)
        await write
          .updateTable('template')
          .set(change)
          .where('id', '=', row?.id ?? '')
          .execute()
      await page.goto(`/org/${org.slug}/template`)
      await page.getByRole('button', { name: w.open }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: w.bringNone, exact: true }).click()
      await expect(dialog.getByText(w.none)).toBeVisible()
      await dialog.getByRole('checkbox', { name: /torta_del_dia/ }).check()
      await dialog.getByRole('checkbox', { name: /torta_con_foto/ }).check()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, `earlier-${language}`)
      await dialog.getByRole('button', { name: w.bring }).click()
      await expect(dialog.getByRole('alert')).toContainText(w.missing)
      await expect(page.getByText(w.done)).toBeVisible()
      await expect(dialog.getByRole('checkbox', { name: /torta_del_dia/ })).toHaveCount(0)
      await picture(page, `earlier-refused-${language}`)
      await dialog.getByRole('button', { name: w.cancel }).click()
      await expect(page.getByRole('table').getByRole('link', { name: 'torta_del_dia' })).toBeVisible()
    })
  })
