import t from 'tap'
import { Type } from 'typebox'
import { readerOf } from '#server/platform/http/validate.ts'

const schema = Type.Object(
  {
    archived: Type.Optional(Type.Boolean({ default: false })),
    unread: Type.Optional(Type.Boolean()),
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    search: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

t.test('of a query an empty field that is no text is absent, and one of a body is not', async t => {
  const read = readerOf('query', schema)
  t.same(read({ archived: '', unread: '', page: '', search: '' }), { archived: false, page: 1, search: '' })
  t.same(read({ archived: 'true' }), { archived: true, page: 1 })
  t.throws(() => read({ archived: 'sometimes' }))
  t.throws(() => readerOf('body', schema)({ archived: '' }))
})
