import t from 'tap'
import { errorFacts } from '#server/platform/log/redact.ts'

t.test('error facts pass the log a second time unchanged', async t => {
  const facts = errorFacts(new TypeError('no such thing', { cause: new Error('the disk') }))
  t.equal(errorFacts(facts), facts)
  t.match(facts, { type: 'TypeError', message: 'no such thing', cause: { message: 'the disk' } })
})

t.test('lookalikes of error facts are redacted', async t => {
  t.strictSame(errorFacts({ type: 'Error', message: 'token=abc', body: 'Hola' }), {
    type: 'object',
    message: '[object Object]',
  })
})

t.test('secrets and people’s texts are left out', async t => {
  const error = Object.assign(new Error('GET https://x/?access_token=EAAabcdefghijk failed'), {
    accessToken: 'EAAabcdefghijk',
    parameters: ['Hola'],
    sql: 'select 1',
  })
  const said = JSON.stringify(errorFacts(error))
  t.notMatch(said, /EAAabc|Hola|select/)
  t.match(said, /redacted/)
})
