import t from 'tap'
import { readable } from '#client/integrations/card/readable.ts'

t.test('JSON is indented', async t => {
  t.equal(readable('{"order":{"id":7}}'), '{\n  "order": {\n    "id": 7\n  }\n}')
  t.equal(readable('[]'), '[]')
})

t.test('what would be shown with other values stays as it came', async t => {
  for (const body of [
    '{"id":12345678901234567890}',
    '{"price":1.10}',
    '{"much":1e400}',
    '{"a":1,"a":2}',
    '{"b":1,"2":2}',
    '{"cut":"off',
    'hola',
    '',
  ])
    t.equal(readable(body), body)
})

t.test('JSON that is nested thousands deep is not indented', async t => {
  const body = `${'['.repeat(3_500)}${'0,'.repeat(4_000)}0${']'.repeat(3_500)}`
  t.equal(readable(body), body)
  const flat = `{"a":[${'[[[0]]],'.repeat(1_000)}0]}`
  t.ok(readable(flat).length < flat.length * 15)
})
