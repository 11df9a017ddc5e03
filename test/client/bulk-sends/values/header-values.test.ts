import fc from 'fast-check'
import t from 'tap'
import { faultyIn, headerKey, headerSourcesOf, headerValuesOf } from '#client/bulk-sends/values/header-values.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'

const withHeader = (format: 'VIDEO' | 'DOCUMENT' | 'LOCATION' | 'IMAGE'): TemplateComponent[] => [
  { type: 'HEADER', format },
  { type: 'BODY', text: 'Hola' },
]
const typed = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, { from: 'fixed' as const, text }]))

t.test('coordinates are accepted with a comma or a point, and invalid ones are refused', async t => {
  const place = withHeader('LOCATION')
  const sources = typed({ [headerKey('latitude')]: ' -34,588 ', [headerKey('longitude')]: '-58.41' })
  t.same(headerValuesOf(place, sources), { location: { latitude: -34.588, longitude: -58.41 } })
  t.same(faultyIn(place, sources), [])
  t.same(faultyIn(place, {}), ['latitude', 'longitude'])
  t.same(faultyIn(place, typed({ [headerKey('latitude')]: '91', [headerKey('longitude')]: 'x' })), [
    'latitude',
    'longitude',
  ])
  const unnamed = typed({
    ...{ [headerKey('latitude')]: '0', [headerKey('longitude')]: '0' },
    [headerKey('address')]: 'Honduras 4700',
  })
  t.same(
    headerValuesOf(place, unnamed),
    { location: { latitude: 0, longitude: 0 } },
    'an address is shown below a name',
  )
})

t.test('a video or document header needs an address, other headers ask for nothing here', async t => {
  for (const format of ['VIDEO', 'DOCUMENT'] as const) {
    const components = withHeader(format)
    t.same(faultyIn(components, typed({ [headerKey('file')]: 'http://x.test/a.mp4' })), ['file'])
    const sources = typed({ [headerKey('file')]: ' https://x.test/a.mp4 ' })
    t.same(faultyIn(components, sources), [])
    t.same(headerValuesOf(components, sources), { image: 'https://x.test/a.mp4' })
  }
  t.same([faultyIn(withHeader('IMAGE'), {}), headerValuesOf(withHeader('IMAGE'), {})], [[], {}])
})

t.test('a column can hold a file address per recipient, and a document has a name', async t => {
  const document = withHeader('DOCUMENT')
  const file = { from: 'column' as const, text: 'factura' }
  const fileName = { from: 'fixed' as const, text: 'Factura.pdf' }
  const sources = { [headerKey('file')]: file, [headerKey('fileName')]: fileName }
  t.same(faultyIn(document, sources), [])
  const values = headerValuesOf(document, sources)
  t.same(values, { file, fileName })
  t.same(headerValuesOf(document, headerSourcesOf(document, values)), values)
})

t.test('the values of an existing plan fill the form again', async t => {
  const place = withHeader('LOCATION')
  const word = fc.stringMatching(/^[a-z]{1,9}$/)
  const degree = fc.integer({ min: -90_000, max: 90_000 }).map(n => n / 1000)
  fc.assert(
    fc.property(degree, degree, fc.option(word, { nil: undefined }), (latitude, longitude, name) => {
      const location = { latitude, longitude, ...(name ? { name, address: name } : {}) }
      const again = headerValuesOf(place, headerSourcesOf(place, { location }))
      if (JSON.stringify(again) !== JSON.stringify({ location })) throw new Error(JSON.stringify(again))
    }),
  )
  const film = withHeader('VIDEO')
  t.same(headerValuesOf(film, headerSourcesOf(film, { image: 'https://x.test/a' })), { image: 'https://x.test/a' })
  t.same(headerSourcesOf(place, undefined), {})
})
