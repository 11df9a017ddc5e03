import { paths } from '#shared/kernel/paths.ts'
import { expect, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const htmlOf = async (page: Page, path: string, headers: Record<string, string> = {}) =>
  /<html[^>]*>/.exec(await (await page.request.get(path, { headers })).text())?.[0] ?? ''

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the list, a conversation and the sign-in show their content', async ({ page, org, context }) => {
    const customer = org.customer(1, 'Lucía Méndez')
    await customer.says('Hola, ¿abren hoy?')
    await page.goto(paths.chats(org.slug))
    await expect(page.getByRole('link', { name: /Lucía Méndez/ })).toContainText('¿abren hoy?')
    await page.getByRole('link', { name: /Lucía Méndez/ }).click()
    await expect(page.getByRole('article')).toContainText('Hola, ¿abren hoy?')
    await expect(page.getByRole('heading', { name: 'Lucía Méndez' })).toBeVisible()
    await picture(page, 'without JavaScript')
    await context.clearCookies()
    await page.goto('/login')
    await expect(page.getByLabel('Correo electrónico')).toBeVisible()
    await expect(page.locator('noscript > .notice')).toContainText('Para entrar hace falta JavaScript.')
    await expect(page.locator('noscript > .notice')).toBeVisible()
  })
})

test('the sign-in loads nothing of the pages behind it', { tag: '@nightly' }, async ({ page, site }) => {
  const brought: string[] = []
  page.on('request', request => brought.push(new URL(request.url()).pathname))
  await page.goto(`${site.url}/login`)
  await expect(page.getByLabel('Correo electrónico')).toBeEditable()
  await page.waitForLoadState('networkidle')
  expect(brought.filter(path => /\/(frame|login-page)-[^/]*\.js$/.test(path))).toHaveLength(2)
  expect(brought.filter(path => /\/(chats|organization)-/.test(path))).toEqual([])
})

for (const theme of inTurn(['light', 'dark'] as const))
  test(`the first byte has the chosen theme (${theme}), and nothing changes it afterwards`, async ({
    page,
    context,
    site,
  }) => {
    await context.addCookies([{ name: 'vite-ui-theme', value: theme, url: site.url }])
    expect(await htmlOf(page, '/login')).toContain(`data-theme="${theme}"`)
    await page.addInitScript(() => {
      const seen = new Set<string | undefined>()
      Object.assign(window, { seen })
      new MutationObserver(() => seen.add(document.documentElement?.dataset.theme)).observe(document, {
        attributes: true,
        subtree: true,
        childList: true,
        attributeFilter: ['data-theme'],
      })
    })
    await page.emulateMedia({ colorScheme: theme === 'light' ? 'dark' : 'light' })
    await page.goto('/login')
    await expect(page.getByLabel('Tema')).toHaveValue(theme)
    expect(await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])).toEqual([theme])
    const ground = theme === 'light' ? 'rgb(251, 250, 248)' : 'rgb(16, 20, 19)'
    await expect(page.locator('body')).toHaveCSS('background-color', ground)
  })

test('a theme chosen on the page applies at once and after a reload', { tag: '@nightly' }, async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Tema').selectOption('dark')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(16, 20, 19)')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByLabel('Tema')).toHaveValue('dark')
})

test('the language comes from the address, else the cookie, else the browser', async ({ page, context, site }) => {
  const languageAt = async (path: string, cookie?: string, accept = 'es-AR,es;q=0.9') => {
    const headers = { 'accept-language': accept, cookie: cookie ? `i18next=${cookie}` : '' }
    return /lang="(\w+)"/.exec(await htmlOf(page, path, headers))?.[1]
  }
  expect(await languageAt('/login')).toBe('es')
  expect(await languageAt('/login', undefined, 'en-GB')).toBe('en')
  expect(await languageAt('/login', undefined, 'de-DE')).toBe('en')
  expect(await languageAt('/login', 'en')).toBe('en')
  expect(await languageAt('/login?lng=es', 'en', 'en-GB')).toBe('es')

  await page.goto('/login')
  await expect(page).toHaveTitle('Entrar · Recado')
  await page.getByLabel('Idioma').selectOption('en')
  await expect(page).toHaveTitle('Sign in · Recado')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.reload()
  await expect(page).toHaveTitle('Sign in · Recado')
  await context.clearCookies()
  // Local storage restores the choice after the cookie is lost.
  await page.goto('/login')
  await expect(page).toHaveTitle('Sign in · Recado')
  await page.goto('/login?lng=es')
  await expect(page).toHaveTitle('Entrar · Recado')
  const chosen = async () => (await context.cookies(site.url)).find(({ name }) => name === 'i18next')?.value
  await expect.poll(chosen).toBe('es')
})

test('a language chosen during a navigation applies to that page', { tag: '@nightly' }, async ({
  page,
  context,
  site,
}) => {
  await page.route(
    /\/login$/,
    async route => {
      const response = await route.fetch()
      expect(await response.text()).toContain('lang="es"')
      await context.addCookies([{ name: 'i18next', value: 'en', url: site.url }])
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.goto('/login')
  await expect(page).toHaveTitle('Sign in · Recado')
  expect((await context.cookies(site.url)).find(({ name }) => name === 'i18next')?.value).toBe('en')
})

test.describe('before hydration', () => {
  /** The scripts are held until the story releases them. */
  const holdScripts = async (page: Page) => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/assets/*.js', async route => {
      await held
      await route.continue()
    })
    return release
  }

  test('an early sign-in form is accepted', { tag: '@nightly' }, async ({ page, org, context }) => {
    await context.clearCookies()
    const release = await holdScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await page.getByLabel('Correo electrónico').fill(org.owner.user.email)
    await page.getByRole('button', { name: 'Enviar código' }).click()
    release()
    await expect(page.getByLabel('Código de seis dígitos')).toBeVisible()
  })

  test('typed text stays', { tag: '@nightly' }, async ({ page, org, context }) => {
    const customer = org.customer(1, 'Lucía Méndez')
    await customer.says('Hola')
    const release = await holdScripts(page)
    const stream = page.waitForResponse(response => new URL(response.url()).pathname === '/api/sse')
    await page.goto(paths.chat(org.slug, customer.phone), { waitUntil: 'commit' })
    const field = page.getByRole('textbox', { name: 'Mensaje para Lucía Méndez' })
    await field.fill('Escrito antes de tiempo')
    release()
    await stream
    await customer.says('¿Están?')
    await expect(page.getByRole('article')).toHaveCount(2)
    await expect(field).toHaveValue('Escrito antes de tiempo')
    await field.press('Enter')
    await expect(page.getByRole('article', { name: 'Mensaje nuestro' })).toContainText('Escrito antes de tiempo')

    // The open page would find its session ended and navigate to the sign-in by itself.
    await page.goto('about:blank')
    await context.clearCookies()
    await page.goto('/login', { waitUntil: 'commit' })
    await page.getByLabel('Correo electrónico').fill('lucia@example.com')
    await expect(page.getByLabel('Idioma')).toBeVisible()
    await page.getByLabel('Tema').selectOption('dark')
    await expect(page.getByLabel('Correo electrónico')).toHaveValue('lucia@example.com')
  })
})

test('nothing shifts while the inbox loads', async ({ page, org }) => {
  for (let n = 1; n <= 12; n += 1) await org.customer(n).says(`Hola, soy el número ${n}`)
  const customer = org.customer(1)
  await page.addInitScript(() => {
    Object.assign(window, { shifted: 0 })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) (window as unknown as { shifted: number }).shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of [paths.chats(org.slug), paths.chat(org.slug, customer.phone)])
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport)
      const stream = page.waitForResponse(response => new URL(response.url()).pathname === '/api/sse')
      await page.goto(path, { waitUntil: 'load' })
      await stream
      await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
      const shifted = await page.evaluate(() => (window as unknown as { shifted: number }).shifted)
      expect(shifted, `${path} at ${viewport.width}`).toBeLessThanOrEqual(0.02)
    }
})

test('pages fit a small phone and 200 % zoom', { tag: '@nightly' }, async ({ page, org }) => {
  const customer = org.customer(1, 'María de los Ángeles Fernández Etcheverry de Anchorena')
  await customer.says(
    'Necesito saber si mañana tienen facturas, medialunas y pan de campo para un desayuno de veinte personas',
  )
  for (const viewport of [
    { width: 320, height: 640 },
    { width: 720, height: 450 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize(viewport)
    for (const path of [
      paths.chats(org.slug),
      paths.chat(org.slug, customer.phone),
      '/organizations',
      '/company-creation',
      '/unauthorized',
    ]) {
      await page.goto(path)
      await expectNoSidewaysScroll(page)
      await picture(page, `${viewport.width} ${path.replaceAll('/', '_')}`)
    }
  }
})
