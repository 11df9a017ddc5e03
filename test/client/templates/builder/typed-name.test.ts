import t from 'tap'
import { typedName } from '#client/templates/builder/typed-name.ts'

t.test('a typed name becomes a valid template name', async t => {
  t.equal(typedName('Envío del día-2'), 'envio_del_dia_2')
  t.equal(typedName('ÑANDÚ'), 'nandu')
  t.equal(typedName('i\u0301'), 'i', 'an accent that came as a letter of its own')
  t.equal(typedName('20%'), '20%', 'what is no letter stays to be mended')
})
