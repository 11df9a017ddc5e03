import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { aMember } from '#test/helpers/actors.ts'
import { officialClient } from '#test/helpers/programs.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, tabTo, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    scheme: 'light',
    email: 'Correo electrónico',
    code: 'Código de seis dígitos',
    heading: '¿Conectar «Agente <b>»?',
    host: 'este equipo (localhost)',
    organization: 'Organización',
    reading: 'Leer conversaciones, contactos y plantillas',
    notes: 'Escribir notas internas',
    sending: /^Enviar mensajes a clientes/,
    allow: 'Conectar',
    deny: 'No conectar',
    list: 'Programas conectados',
    end: 'Desconectar Agente <b>',
    sure: 'Desconectar',
    none: 'No hay programas conectados.',
    faulty: 'El pedido del programa no es válido',
    back: 'Volver al programa',
    unknown: /Esta instalación no conoce al programa/,
  },
  en: {
    locale: 'en-GB',
    width: 390,
    scheme: 'dark',
    email: 'E-mail',
    code: 'Six-digit code',
    heading: 'Connect “Agente <b>”?',
    host: 'this computer (localhost)',
    organization: 'Organization',
    reading: 'Read conversations, contacts and templates',
    notes: 'Write internal notes',
    sending: /^Send messages to customers/,
    allow: 'Connect',
    deny: "Don't connect",
    list: 'Connected programs',
    end: 'Disconnect Agente <b>',
    sure: 'Disconnect',
    none: 'No programs are connected.',
    faulty: "The program's request isn't valid",
    back: 'Back to the program',
    unknown: /doesn't know the program/,
  },
} as const

/** The program's own address, where the browser brings the answer. */
const listen = async () => {
  let heard = (_answer: URLSearchParams) => {}
  const answer = new Promise<URLSearchParams>(resolve => {
    heard = resolve
  })
  const server = createServer(({ url = '' }, reply) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    if (pathname === '/callback') heard(searchParams)
    reply.setHeader('content-type', 'text/html')
    reply.end(pathname === '/callback' ? '<title>Done</title><h1>Back in the program</h1>' : '')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return { redirectUrl, answer, close: () => server.close() }
}

const press = async (page: Page, target: ReturnType<Page['getByRole']>, key = 'Enter') => {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}, ${w.scheme}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 }, colorScheme: w.scheme })

    test('a program connects by address alone, works, and loses its access, by keyboard', async ({
      another,
      org,
      site,
    }) => {
      const program = await listen()
      const other = await aMember({ databases: site.databases, publicUrl: site.url, orgName: 'Zapatería' })
      await site.databases.write
        .updateTable('member')
        .set({ userId: org.owner.user.id })
        .where('userId', '=', other.user.id)
        .execute()
      const agent = officialClient(site.url, { name: 'Agente <b>', redirectUrl: program.redirectUrl })
      const page = await another()
      await page.goto(String(await agent.ask()))

      await page.getByLabel(w.email).fill(org.owner.user.email)
      await page.keyboard.press('Enter')
      await expect(page.getByLabel(w.code)).toBeFocused()
      await page.getByLabel(w.code).fill(site.mailedCode(org.owner.user.email) ?? 'no letter came')

      await expect(page.getByRole('heading', { name: w.heading })).toBeVisible()
      await expect(page.getByText(w.host)).toBeVisible()
      await expect(page.getByLabel(w.reading)).toBeChecked()
      await expect(page.getByLabel(w.sending), 'sending is off').not.toBeChecked()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'consent')
      await page.getByLabel(w.organization).selectOption({ label: org.owner.org.name })
      await press(page, page.getByLabel(w.notes), 'Space')
      await expect(page.getByLabel(w.notes)).not.toBeChecked()
      await press(page, page.getByRole('button', { name: w.allow, exact: true }))
      await expect(page.getByRole('heading', { name: 'Back in the program' })).toBeVisible()

      const client = await agent.finish(await program.answer)
      const names = (await client.listTools()).tools.map(({ name }) => name)
      expect(names).toContain('conversations_find')
      expect(names).not.toContain('messages_send')
      expect(names).not.toContain('notes_add')
      const found = await client.callTool({ name: 'conversations_find', arguments: {} })
      expect(found.structuredContent).toMatchObject({ items: [] })

      await page.goto(`/org/${org.slug}`)
      const opener = page.getByRole('button', { name: 'API Keys' })
      await opener.focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog').getByRole('heading', { name: 'Agente <b>' })).toBeVisible()
      await expectAccessible(page)
      await picture(page, 'administrators')

      await page.goto(`/org/${org.slug}/settings/account`)
      const card = page.getByRole('region', { name: w.list })
      await expect(card).toContainText(org.owner.org.name)
      await expect(card).toContainText(w.reading)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await card.scrollIntoViewIfNeeded()
      await picture(page, 'account')
      await press(page, card.getByRole('button', { name: w.end }))
      await page.getByRole('dialog').getByRole('button', { name: w.sure }).press('Enter')
      await expect(card.getByText(w.none)).toBeVisible()

      const refused = await fetch(new URL('/mcp', site.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${agent.kept.tokens?.access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
      expect(refused.status).toBe(401)
      await client.close()
      program.close()
    })

    test('a person does not let a program in, and one that is unknown gets nowhere', { tag: '@nightly' }, async ({
      page,
      org,
      site,
      complaints,
    }) => {
      complaints.announce(/^400 GET \/oauth\/authorize/)
      expect(org.slug).toBeTruthy()
      const program = await listen()
      const agent = officialClient(site.url, { name: 'Agente <b>', redirectUrl: program.redirectUrl })
      const asked = await agent.ask()
      await page.goto(String(asked))
      await press(page, page.getByRole('link', { name: w.deny }))
      await expect(page.getByRole('heading', { name: 'Back in the program' })).toBeVisible()
      expect((await program.answer).get('error')).toBe('access_denied')
      const faulty = new URL(asked)
      faulty.searchParams.delete('code_challenge')
      await page.goto(String(faulty))
      await expect(page.getByRole('heading', { name: w.faulty })).toBeVisible()
      await expect(page.getByRole('link', { name: w.back })).toHaveAttribute('href', /error=invalid_request/)
      await expectAccessible(page)
      await picture(page, 'faulty')
      asked.searchParams.set('client_id', 'x.y')
      await page.goto(String(asked))
      await expect(page.getByText(w.unknown)).toBeVisible()
      await picture(page, 'unknown')
      program.close()
    })
  })
