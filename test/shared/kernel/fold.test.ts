import t from 'tap'
import { fold } from '#shared/kernel/fold.ts'

t.test('accents and case are ignored, in any script', async t => {
  t.equal(fold('Méndez'), fold('MENDEZ'))
  t.equal(fold('Ñandú'), 'nandu')
  t.equal(fold('Việt'), 'viet', 'marks beyond the Latin letters of Europe')
  t.equal(fold('e\u0301'), 'e', 'a mark that stands apart')
  t.equal(fold('Ё'), 'е')
  t.equal(fold('🥐'), '🥐')
})
