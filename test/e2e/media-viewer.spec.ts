import { mediaSample } from '#server/simulator/media/samples.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Org, type Page, picture, test } from './fixtures.ts'
import { grayPng } from './gray-png.ts'
import { blackFax, scannedPdf } from './scanned.ts'

const viewer = (page: Page) => page.getByRole('dialog', { name: 'Fotos y videos' })

/** Two photos sent by a member, one after the other. */
const twoPhotos = async (page: Page, org: Org, openInbox: (page?: Page, phone?: string) => Promise<void>) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('¿Me mandás las tortas?')
  await openInbox(page, lucia.phone)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Adjuntar archivos' }).click()
  const { bytes: buffer } = mediaSample('image')
  await (await chooser).setFiles([
    { name: 'uno.png', mimeType: 'image/png', buffer },
    { name: 'dos.png', mimeType: 'image/png', buffer },
  ])
  const sheet = page.getByRole('dialog', { name: /^Enviar a/ })
  await sheet.getByRole('textbox', { name: 'Texto para uno.png' }).fill('La de chocolate')
  await sheet.getByRole('button', { name: /^Enviar/ }).click()
  const photos = page.getByRole('link', { name: 'Ver en grande' })
  await expect(photos).toHaveCount(2)
  // Until it is stored, an image exists only in this browser.
  for (const photo of await photos.all()) await expect(photo).toHaveAttribute('href', /^\/api\/whatsapp\/media\//)
  return photos
}

test('an invalid photo says so in its place, and can be downloaded as a file', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Te mando la foto')
  const dataBase64 = Buffer.from('<script>document.title = 1</script>').toString('base64')
  await lucia.does({ type: 'image', mime: 'image/png', filename: 'foto.png', dataBase64 })
  await openInbox(page, lucia.phone)
  const bubble = page.getByRole('article').filter({ hasText: 'No se puede mostrar como foto.' })
  await expect(bubble.getByRole('link', { name: 'Descargar' })).toHaveAttribute('download')
  await expect(bubble.getByRole('img')).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(bubble, 'drawn by the server, it fails before anybody listens').toBeVisible()
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  test('the caption of a PDF is below its preview', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
    const lucia = org.customer(1, 'Lucía Méndez')
    await lucia.says('Te mando la lista')
    await lucia.does({ type: 'document', filename: 'lista.pdf', caption: 'Por las dudas' })
    await openInbox(page, lucia.phone)
    const bubble = page.getByRole('article').filter({ hasText: 'lista.pdf' })
    const [look, words] = await Promise.all([
      bubble.getByRole('button', { name: 'Ver acá' }).boundingBox(),
      bubble.getByText('Por las dudas').boundingBox(),
    ])
    expect(words?.y).toBeGreaterThanOrEqual((look?.y ?? 0) + (look?.height ?? 0))
  })
})

test('a photo opens over the conversation; arrows navigate, keys zoom, Escape returns the focus', async ({
  page,
  org,
  openInbox,
}) => {
  const photos = await twoPhotos(page, org, openInbox)
  await photos.first().focus()
  await page.keyboard.press('Enter')
  await expect(viewer(page)).toBeVisible()
  const shown = viewer(page).locator('.yarl__slide_current img')
  await expect(shown).toHaveAttribute('alt', 'La de chocolate')
  await expect(viewer(page)).toContainText('La de chocolate')
  await expect(viewer(page).getByRole('button', { name: 'Descargar' })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'media viewer')
  await page.keyboard.press('ArrowRight')
  await expect(shown).toHaveAttribute('alt', 'Foto')
  await org.customer(1, 'Lucía Méndez').says('¡Qué ricas!')
  await expect(page.getByText('¡Qué ricas!').first()).toBeAttached()
  await expect(shown, 'a message that arrives does not lead back').toHaveAttribute('alt', 'Foto')
  // Before the picture is there, nothing can be enlarged.
  await expect(viewer(page).getByRole('button', { name: 'Acercar' })).toBeEnabled()
  await page.keyboard.press('+')
  await expect(viewer(page).getByRole('button', { name: 'Alejar' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
  await expect(photos.first()).toBeFocused()
})

test('a slowly loading image has its space from the start', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  await twoPhotos(page, org, openInbox)
  // By address: the previous page may still request one while it closes.
  const arrivals = new Map<string, () => void>()
  await page.route('**/api/whatsapp/media/**', async route => {
    await new Promise<void>(resolve => arrivals.set(route.request().url(), resolve))
    await route.continue()
  })
  await page.reload()
  const photo = page.locator('.picture img').first()
  const heightOf = () => photo.evaluate(image => Math.round(image.getBoundingClientRect().height))
  await expect.poll(() => arrivals.size).toBe(2)
  const before = await heightOf()
  for (const arrive of arrivals.values()) arrive()
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBeGreaterThan(0)
  expect(before).toBe(await heightOf())
  expect(before, 'as high as a picture, not as its frame').toBeGreaterThan(48)
})

test('a photo being downloaded has the space it will need', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  const dataBase64 = grayPng({ width: 900, height: 1200 }).toString('base64')
  await lucia.does({ type: 'image', mime: 'image/png', filename: 'torta.png', dataBase64 })
  await openInbox(page, lucia.phone)
  const photo = page.getByRole('link', { name: 'Ver en grande' })
  await expect(photo).toBeVisible()
  const message = page.getByRole('article')
  const sidesOf = () => message.boundingBox().then(box => [box?.width, box?.height].map(px => Math.round(px ?? 0)))
  const stored = await sidesOf()
  await openInbox(page)
  await page.route('**/api/whatsapp/chats/*', async route => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).replace('"stored"', '"pending"') })
  })
  await page.getByRole('link', { name: /Lucía Méndez/ }).click()
  await expect(message.getByRole('status')).toHaveText('Descargando…')
  expect(await sidesOf()).toEqual(stored)
  await picture(page, 'photo on its way')
  await expectAccessible(page)
})

test('with the modifier key for a new tab it opens there', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  const photos = await twoPhotos(page, org, openInbox)
  const opened = page.context().waitForEvent('page')
  await photos.first().click({ modifiers: ['ControlOrMeta'] })
  const tab = await opened
  await expect(viewer(page)).toHaveCount(0)
  await tab.close()
})

test('a file opened from the contact panel is shown over it, and the panel stays', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  await twoPhotos(page, org, openInbox)
  await page.getByTitle('Ver contacto').click()
  const panel = page.getByRole('dialog', { name: /Lucía/ })
  const photo = panel.locator('.gallery-picture').first()
  await photo.click()
  await expect(viewer(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
  await expect(panel).toBeVisible()
  await expect(photo).toBeFocused()
})

test('a photo is forwarded with its caption, as a separate file', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const bruno = org.customer(2, 'Bruno Paz')
  await bruno.says('¿La de chocolate cómo es?')
  await twoPhotos(page, org, openInbox)
  const sent = page.locator('.said', { hasText: 'La de chocolate' })
  await sent.hover()
  await sent.getByRole('button', { name: 'Reenviar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reenviar mensaje' })
  await dialog.getByRole('option', { name: /Bruno Paz/ }).click()
  await dialog.getByRole('button', { name: 'Reenviar a 1 chat' }).click()
  await expect(dialog).toHaveCount(0)
  await page
    .getByRole('navigation', { name: 'Conversaciones' })
    .getByRole('link', { name: /Bruno Paz/ })
    .click()
  await expect(page.getByRole('article').last()).toContainText('La de chocolate')
  await expect(page.getByRole('link', { name: 'Ver en grande' })).toHaveAttribute('href', /^\/api\/whatsapp\/media\//)
  await expect(
    page
      .getByRole('article')
      .last()
      .getByLabel(/Entregado|Leído/),
  ).toBeVisible()
})

test('a PDF is viewed in the page by keyboard alone, and Escape returns the focus', async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.does({ type: 'document', filename: 'pedido.pdf' })
  await openInbox(page, lucia.phone)
  const look = page.getByRole('button', { name: 'Ver acá' })
  await look.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'pedido.pdf' })
  await expect(dialog.locator('iframe')).toHaveAttribute('src', /^\/api\/whatsapp\/media\/[^#]+#page=1/)
  await expect.poll(() => page.frames().some(frame => frame.url().includes('/api/whatsapp/media/'))).toBe(true)
  await picture(page, 'a pdf in the page')
  await expect(dialog.getByRole('link', { name: 'Descargar' })).toHaveAttribute('download', 'pedido.pdf')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(look).toBeFocused()
})

test('a video plays with our controls: in the thread by keyboard, and in the viewer', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.does({ type: 'image', caption: 'La torta' })
  await lucia.does({ type: 'video' })
  await openInbox(page, lucia.phone)
  const film = page.getByRole('group', { name: 'Video' })
  await expect(film).toContainText('0:00 / 0:01')
  await expect(film.locator('video')).not.toHaveAttribute('controls')
  const play = film.getByRole('button', { name: 'Reproducir el video' })
  const place = film.getByRole('slider', { name: 'Posición: Video' })
  await play.focus()
  await expectAccessible(page)
  await picture(page, 'film')
  await page.keyboard.press('m')
  await expect(film.getByRole('button', { name: 'Devolver el sonido' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(place).toHaveValue('1')
  await page.keyboard.press('ArrowLeft')
  await expect(place).toHaveValue('0')
  await film.getByRole('button', { name: /^Velocidad/ }).press('Enter')
  await expect(film.getByRole('button', { name: 'Velocidad: 1.5×' })).toBeVisible()
  await play.press('Enter')
  await expect(film.getByRole('button', { name: 'Pausar el video' })).toBeVisible()
  await expect(play, 'it was played to its end').toBeVisible()
  await expect(place).toHaveValue('1')
  await page.keyboard.press('f')
  await film.getByRole('button', { name: 'Salir de pantalla completa' }).click()
  await expect(film.getByRole('button', { name: 'Pantalla completa' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'film-390')

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'Ver en grande' }).click()
  await expect(viewer(page)).toBeVisible()
  await page.keyboard.press('ArrowRight')
  const large = viewer(page).getByRole('group', { name: 'Video' })
  await expect(large).toContainText('/ 0:01')
  await expectAccessible(page)
  await picture(page, 'film in the viewer')
  await large
    .getByRole('button', { name: 'Devolver el sonido' })
    .or(large.getByRole('button', { name: 'Quitar el sonido' }))
    .focus()
  await page.keyboard.press('ArrowLeft')
  await expect(large, 'its keys are its own').toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
})

test('a contact’s audio files play with the thread’s player', { tag: '@nightly' }, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.does({ type: 'audio' })
  await openInbox(page, lucia.phone)
  await page.getByTitle('Ver contacto').click()
  const panel = page.getByRole('dialog', { name: /Lucía/ })
  await panel.getByRole('button', { name: 'Audios' }).click()
  await expect(panel.getByRole('button', { name: /^Escuchar: Audio, / })).toBeVisible()
  await expect(panel.locator('audio[controls]')).toHaveCount(0)
  await expectAccessible(page)
  await picture(page, 'sounds of a contact')
})

test('the first page of a PDF is rendered above its name; a broken one shows only the card', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.does({ type: 'document', filename: 'pedido.pdf' })
  await openInbox(page, lucia.phone)
  const drawn = page.getByRole('img', { name: 'Primera página' })
  await expect(drawn).toBeVisible()
  expect(await drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640)
  const isBlank = await drawn.evaluate((image: HTMLImageElement) => {
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth
    canvas.height = image.naturalHeight
    const pen = canvas.getContext('2d') as CanvasRenderingContext2D
    pen.drawImage(image, 0, 0)
    return pen.getImageData(0, 0, canvas.width, canvas.height).data.every(value => value === 255)
  })
  expect(isBlank, 'something is written on it').toBe(false)
  await expectAccessible(page)
  await picture(page, 'first page')
  await drawn.click()
  await expect(page.getByRole('dialog', { name: 'pedido.pdf' })).toBeVisible()
  await page.keyboard.press('Escape')

  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Adjuntar archivos' }).click()
  const buffer = Buffer.from('%PDF-1.7\nnothing of a page')
  await (await chooser).setFiles([{ name: 'roto.pdf', mimeType: 'application/pdf', buffer }])
  await page
    .getByRole('dialog', { name: /^Enviar a/ })
    .getByRole('button', { name: /^Enviar/ })
    .click()
  const broken = page.locator('.said-out')
  await expect(broken.getByRole('link', { name: /roto\.pdf/ })).toHaveAttribute('href', /^\/api\/whatsapp\/media\//)
  await expect(broken.locator('.pdf-page')).toHaveCount(0)
  await picture(page, 'first page and none')
})

test('the first page of a scanned PDF is rendered too: a photo and a fax', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await openInbox(page)
  const photo = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 64
    canvas.height = 32
    const pen = canvas.getContext('2d') as CanvasRenderingContext2D
    pen.fillStyle = 'black'
    pen.fillRect(0, 0, 64, 32)
    return canvas.toDataURL('image/jpeg').split(',')[1] as string
  })
  const scans = {
    'foto.pdf': scannedPdf(
      Buffer.from(photo, 'base64'),
      '/Width 64 /Height 32 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
    ),
    'fax.pdf': scannedPdf(blackFax.picture, blackFax.facts),
  }
  for (const [filename, bytes] of Object.entries(scans))
    await lucia.does({ type: 'document', filename, mime: 'application/pdf', dataBase64: bytes.toString('base64') })
  await openInbox(page, lucia.phone)
  for (const filename of Object.keys(scans)) {
    const drawn = page.getByRole('article').filter({ hasText: filename }).getByRole('img', { name: 'Primera página' })
    await expect(drawn, filename).toBeVisible()
    const middle = await drawn.evaluate((image: HTMLImageElement) => {
      const canvas = document.createElement('canvas')
      canvas.width = image.naturalWidth
      canvas.height = image.naturalHeight
      const pen = canvas.getContext('2d') as CanvasRenderingContext2D
      pen.drawImage(image, 0, 0)
      return pen.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[0]
    })
    expect(middle, filename).toBeLessThan(20)
  }
})
