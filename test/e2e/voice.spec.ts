import { expect, expectAccessible, expectNoSidewaysScroll, type Page, picture, test } from './fixtures.ts'

const recordButton = (page: Page) => page.getByRole('button', { name: 'Grabar un mensaje de voz' })
const bubble = (page: Page) =>
  page.getByRole('article').filter({ has: page.getByRole('button', { name: /^Escuchar/ }) })
/** Waits until the recorder's clock shows that something was recorded. */
const recordSome = (page: Page) => expect(page.getByRole('timer')).toHaveText('0:02')

test('a voice note is recorded, played before sending, and arrives as a voice message', async ({
  page,
  org,
  context,
  openInbox,
}) => {
  await context.grantPermissions(['microphone'])
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Me lo podés explicar?')
  await openInbox(page, lucia.phone)
  await recordButton(page).click()
  await recordSome(page)
  await picture(page, 'recording')
  await page.getByRole('button', { name: 'Parar y escuchar' }).click()
  await expect(page.locator('.voice-recorder .voice-time')).toHaveText(/0:0[2-9]/)
  await expectAccessible(page)
  await picture(page, 'recorded')
  const sent = page.waitForResponse(reply => reply.url().endsWith('/api/whatsapp/messages') && reply.ok())
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  const message = (await (await sent).json()) as { type: string; media: { url: string; mime: string } }
  expect(message).toMatchObject({ type: 'voice', media: { mime: 'audio/ogg' } })
  await expect(page.getByRole('textbox', { name: /^Mensaje para/ })).toBeVisible()
  await expect(bubble(page)).toHaveCount(1)

  // The stored file has WhatsApp's format, and this browser decodes it.
  const file = await (await page.request.get(message.media.url)).body()
  expect(file.toString('latin1', 0, 4)).toBe('OggS')
  const head = file.indexOf('OpusHead')
  expect([...file.subarray(head + 8, head + 10)], 'version and one channel').toEqual([1, 1])
  const seconds = await page.evaluate(async url => {
    const bytes = await (await fetch(url)).arrayBuffer()
    const sound = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(bytes)
    return { length: sound.duration, loudest: Math.max(...sound.getChannelData(0)) }
  }, message.media.url)
  expect(seconds.length).toBeGreaterThan(1.5)
  expect(seconds.loudest, 'the microphone beeps').toBeGreaterThan(0.01)

  await expect(bubble(page).locator('.voice-time')).toHaveText(/0:0[2-9]/)
  await page.getByRole('button', { name: /^Velocidad: 1×/ }).click()
  await expect(page.getByRole('button', { name: /^Velocidad: 1.5×/ })).toBeVisible()
  await page.getByRole('button', { name: /^Escuchar/ }).click()
  await expect(page.getByRole('button', { name: /^Pausar/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Escuchar/ })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'voice')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'voice-390')
  await recordButton(page).click()
  await recordSome(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'recording-390')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: /^Mensaje para/ })).toBeVisible()
  await expect(bubble(page)).toHaveCount(1)
})

test('without a usable microphone it says so, and the typed text stays', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await page.getByRole('textbox', { name: /^Mensaje para/ }).fill('Ya te')
  await recordButton(page).click()
  await expect(page.getByText(/El navegador no deja usar el micrófono/)).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^Mensaje para/ })).toHaveValue('Ya te')
})
