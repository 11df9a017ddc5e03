import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    scheme: 'light',
    name: 'Nombre de la API key',
    placeholder: 'ej. Desarrollo, Producción, etc.',
    generate: 'Generar',
    existing: 'API Keys existentes',
    columns: ['Nombre', 'API Key', 'Creada', 'Último uso'],
    never: 'Nunca',
    day: /\d{1,2} [a-z]{3,4} 20\d\d/,
    none: 'No hay API keys generadas.',
    close: 'Cerrar',
    made: '¡API key generada con éxito!',
    copy: 'Copiar',
    copied: '¡Copiado!',
    keep: 'Guarda esta key en un lugar seguro. No podrás verla de nuevo.',
    options: 'Vencimiento, permisos y redes',
    networks: 'Redes permitidas',
    network: 'Escribí una dirección IP o un rango, como 203.0.113.7 o 10.0.0.0/8.',
    from: 'Solo desde 127.0.0.0/8',
    expires: 'Vencimiento',
    days: '30 días',
    scopes: 'Permisos',
    some: 'Solo lo que elija',
    reading: 'Leer conversaciones',
    calls: 'Ver llamadas de Producción',
    callsTitle: 'Llamadas a la API',
    errorsOnly: 'Solo errores',
    outOfScope: 'Esta clave no tiene permiso',
    refresh: 'Actualizar',
    removeOf: 'Eliminar la API key Producción',
    removeTitle: '¿Eliminar la API key Producción?',
    remove: 'Eliminar',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    scheme: 'dark',
    name: 'API key name',
    placeholder: 'e.g. Development, Production, etc.',
    generate: 'Generate',
    existing: 'Existing API keys',
    columns: ['Name', 'API key', 'Created', 'Last used'],
    never: 'Never',
    day: /\d{1,2} [A-Z][a-z]{2,3} 20\d\d/,
    none: 'No API keys have been generated.',
    close: 'Close',
    made: 'API key generated!',
    copy: 'Copy',
    copied: 'Copied!',
    keep: "Save this key in a safe place. You won't be able to see it again.",
    options: 'Expiry, permissions and networks',
    networks: 'Allowed networks',
    network: 'Enter an IP address or a range, such as 203.0.113.7 or 10.0.0.0/8.',
    from: 'Only from 127.0.0.0/8',
    expires: 'Expiry',
    days: '30 days',
    scopes: 'Permissions',
    some: 'Only selected permissions',
    reading: 'Read conversations',
    calls: 'View calls by Producción',
    callsTitle: 'API calls',
    errorsOnly: 'Errors only',
    outOfScope: 'unauthorized to access resource',
    refresh: 'Refresh',
    removeOf: 'Delete the API key Producción',
    removeTitle: 'Delete the API key Producción?',
    remove: 'Delete',
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}, ${w.scheme}`, () => {
    test.use({
      locale: w.locale,
      viewport: { width: w.width, height: 900 },
      colorScheme: w.scheme,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    test('a key is created by keyboard, shown once, works, and is deleted', async ({
      page,
      org,
      request,
      complaints,
    }) => {
      await page.goto(`/org/${org.slug}`)
      const opener = page.getByRole('button', { name: 'API Keys' })
      await opener.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'API Keys' })
      await expect(dialog.getByText(w.none)).toBeVisible()
      const name = dialog.getByLabel(w.name)
      await expect(name).toHaveAttribute('placeholder', w.placeholder)
      await expectAccessible(page)
      await picture(page, 'none')
      await name.fill('   ')
      await name.press('Enter')
      await expect(dialog.getByText(w.none)).toBeVisible()
      await name.fill('Producción')
      await dialog.getByText(w.options).click()
      await dialog.getByLabel(w.expires).selectOption({ label: w.days })
      await dialog.getByLabel(w.scopes).selectOption({ label: w.some })
      await expect(dialog.getByLabel(w.reading)).toBeChecked()
      await picture(page, 'options')
      await expectAccessible(page)
      const networks = dialog.getByLabel(w.networks)
      await networks.fill('oficina')
      await networks.press('Enter')
      await expect(dialog.getByText(w.network)).toBeVisible()
      await networks.fill('127.0.0.0/8')
      await picture(page, 'networks')
      complaints.announce(/^400 POST .*api-key\/create$/)
      await dialog.getByRole('button', { name: w.generate }).press('Enter')
      await expect(dialog.getByText(w.made)).toBeVisible()
      await expect(dialog.getByText(w.keep)).toBeVisible()
      const row = dialog.getByRole('row').filter({ hasText: 'Producción' })
      await expect(row).toContainText(w.never)
      await expect(row).toContainText(w.from)
      await expect(row, 'the month is short in lists').toContainText(w.day)
      for (const column of w.columns) await expect(dialog.getByRole('columnheader', { name: column })).toHaveCount(1)
      await expect(dialog.getByText('/api/whatsapp/conversations?pageSize=1')).toContainText('x-api-key: recado_')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'made')
      await dialog.getByRole('button', { name: w.copy, exact: true }).click()
      await expect(dialog.getByText(w.copied)).toBeVisible()
      const key = await page.evaluate(() => navigator.clipboard.readText())
      expect(key).toMatch(/^recado_[0-9A-Za-z]{38}$/)
      await expect(dialog.getByText(w.copied)).toHaveCount(0)
      const headers = { 'x-api-key': key }
      const at = (path: string) => new URL(path, page.url()).toString()
      expect((await request.get(at('/api/whatsapp/conversations'), { headers })).status()).toBe(200)
      expect((await request.get(at('/api/whatsapp/connection'), { headers })).status()).toBe(403)
      await dialog.getByRole('button', { name: w.close }).click()
      await expect(dialog).toHaveCount(0)
      await expect(opener).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(dialog.getByText(key.slice(0, 11))).toBeVisible()
      await expect(dialog.getByText(w.never, { exact: true })).toHaveCount(0)
      expect(await page.content()).not.toContain(key)
      const [named, linked] = [
        row.getByText('Producción', { exact: true }),
        dialog.getByRole('link', { name: w.calls }),
      ]
      const [above, below] = [await named.boundingBox(), await linked.boundingBox()]
      expect(above && below && above.y + above.height <= below.y + 1, 'the link under the name').toBe(true)
      await picture(page, 'listed')
      await dialog.getByRole('link', { name: w.calls }).press('Enter')
      await expect(page.getByRole('heading', { name: w.callsTitle })).toBeVisible()
      await expect(dialog).toHaveCount(0)
      const calls = page.getByRole('main').getByRole('listitem')
      await expect(calls).toHaveCount(2)
      await expect(calls.first()).toContainText('/api/whatsapp/connection')
      await expect(calls.first()).toContainText(w.outOfScope)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'calls')
      await page.getByLabel(w.errorsOnly).focus()
      await page.keyboard.press('Space')
      await expect(page.getByLabel(w.errorsOnly)).toBeChecked()
      await expect(calls).toHaveCount(1)
      await request.get(at('/api/whatsapp/chats/5491155550999'), { headers })
      await expect(page.getByLabel(w.errorsOnly)).toBeFocused()
      await page.getByRole('button', { name: w.refresh }).press('Enter')
      await expect(calls).toHaveCount(2)
      await expect(calls.first()).toContainText('/api/whatsapp/chats/:phone')
      await page.reload()
      await expect(calls).toHaveCount(2)
      await page.goto(`/org/${org.slug}`)
      await opener.press('Enter')
      await expect(dialog.getByText(key.slice(0, 11))).toBeVisible()
      await dialog.getByRole('button', { name: w.removeOf }).click()
      const question = page.getByRole('dialog', { name: w.removeTitle })
      await expectAccessible(page)
      await picture(page, 'remove')
      await question.getByRole('button', { name: w.remove, exact: true }).click()
      await expect(dialog.getByText(w.none)).toBeVisible()
      expect((await request.get(at('/api/whatsapp/conversations'), { headers })).status()).toBe(401)
      expect(complaints.unannounced).toEqual([])
    })
  })

test('a list without entries shows no filters, and filters that find nothing can be cleared', async ({ page, org }) => {
  await page.goto(paths.apiCalls(org.slug))
  await expect(page.getByText('Todavía no hay llamadas.')).toBeVisible()
  await expect(page.getByLabel('Solo errores')).toHaveCount(0)
  await page.goto(`${paths.apiCalls(org.slug)}?errors=1`)
  await expect(page.getByText('No hay errores.')).toBeVisible()
  await page.getByRole('link', { name: 'Quitar filtros' }).click()
  await expect(page).toHaveURL(paths.apiCalls(org.slug))
  await expect(page.getByText('Todavía no hay llamadas.')).toBeVisible()
  await page.goto(`${paths.audit(org.slug)}?to=2001-01-01`)
  await expect(page.getByText('Nada coincide con estos filtros.')).toBeVisible()
  await page.getByRole('link', { name: 'Quitar filtros' }).click()
  await expect(page).toHaveURL(paths.audit(org.slug))
})
