import { expect, expectAccessible, expectNoSidewaysScroll, picture, tabTo, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    scheme: 'dark',
    create: 'Nuevo envío',
    numbers: 'Números',
    recipients: /^Destinatarios/,
    plan: /^Plan\b/,
    canary: 'Primero a unos pocos, y esperar',
    people: 'Cuántas personas primero',
    send: 'Enviar ahora a 3 personas',
    waiting: /Salió a la primera persona/,
    running: 'En curso',
    pause: 'Pausar',
    paused: 'Pausado',
    resume: 'Seguir',
    cancel: 'Cancelar envío',
    keep: 'No cancelar',
    cancelled: 'Cancelado',
    repeat: 'Repetir',
    again: /^Las mismas personas que en «hello_world»/,
    list: 'Envíos masivos',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    scheme: 'light',
    create: 'New bulk send',
    numbers: 'Numbers',
    recipients: /^Recipients/,
    plan: /^Review/,
    canary: 'Start with a few, then wait',
    people: 'People in the first batch',
    send: 'Send to 3 people now',
    waiting: /Sent to the first person/,
    running: 'Running',
    pause: 'Pause',
    paused: 'Paused',
    resume: 'Resume',
    cancel: 'Cancel send',
    keep: 'Keep send',
    cancelled: 'Canceled',
    repeat: 'Repeat',
    again: /^The same people as in “hello_world”/,
    list: 'Bulk sends',
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 }, colorScheme: w.scheme })

    test('a send is planned, created, paused, resumed, cancelled and repeated by keyboard alone', async ({
      page,
      org,
    }) => {
      test.slow()
      const main = page.getByRole('main')
      const button = (name: string | RegExp) => main.getByRole('button', { name, exact: true }).first()
      const press = async (name: string | RegExp) => {
        await tabTo(page, button(name))
        await page.keyboard.press('Enter')
      }
      await org.call('POST', '/whatsapp/template/sync')
      await page.goto(`/org/${org.slug}/c/masive`)
      await tabTo(page, main.getByRole('link', { name: w.create }).first())
      await page.keyboard.press('Enter')
      await tabTo(page, main.getByRole('button', { name: /^hello_world/ }))
      await page.keyboard.press('Enter')
      await expect(button(w.recipients), 'the list that was chosen from is gone').toBeFocused()
      await press(w.plan)
      await expect(page.getByLabel(w.numbers, { exact: true }), 'what is missing').toBeFocused()
      await page.keyboard.type('11 5555-0201, 11 5555-0202, 11 5555-0203')
      await expectAccessible(page)
      await picture(page, `audience-${language}`)
      await press(w.plan)
      await tabTo(page, page.getByLabel(w.canary))
      await page.keyboard.press('Space')
      await tabTo(page, page.getByLabel(w.people))
      await page.keyboard.press('Control+A')
      await page.keyboard.type('1')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, `plan-${language}`)
      await press(w.send)

      await expect(main.getByText(w.waiting)).toBeVisible()
      await expect(main.getByText(w.running, { exact: true })).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, `running-${language}`)
      await press(w.pause)
      await expect(main.getByText(w.paused, { exact: true })).toBeVisible()
      await press(w.resume)
      await expect(main.getByText(w.running, { exact: true })).toBeVisible()
      await press(w.cancel)
      const dialog = page.getByRole('dialog')
      await tabTo(page, dialog.getByRole('button', { name: w.keep }))
      await tabTo(page, dialog.getByRole('button', { name: w.cancel }))
      await page.keyboard.press('Enter')
      await expect(main.getByText(w.cancelled, { exact: true })).toBeVisible()

      await tabTo(page, main.getByRole('link', { name: w.repeat }))
      await page.keyboard.press('Enter')
      await expect(page.getByLabel(w.again)).toBeChecked()
      await expect(page.getByText('hello_world', { exact: true })).toBeVisible()
      await press(w.plan)
      await expect(page.getByLabel(w.canary)).toBeChecked()
      await expect(page.getByLabel(w.people)).toHaveValue('1')
      await expect(button(w.send)).toBeVisible()
      await expectAccessible(page)
      await picture(page, `repeated-${language}`)
      await page.goto(`/org/${org.slug}/c/masive`)
      await expect(main.getByRole('table', { name: w.list }).getByRole('row')).toHaveCount(2)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, `list-${language}`)
    })
  })
