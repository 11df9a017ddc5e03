import t from 'tap'
import { isolated } from '#shared/kernel/bidi.ts'
import { i18n } from '#test/helpers/i18n.ts'

t.test('only right-to-left text is isolated', async t => {
  t.equal(isolated('Lucía & Ñandú <b>'), 'Lucía & Ñandú <b>')
  for (const name of ['مريم', 'אברהם', 'Casa מרים 2', 'ﷺ']) t.equal(isolated(name), `\u2068${name}\u2069`)
})

t.test('a name in a sentence does not change the direction around it, in either language', async t => {
  for (const language of ['es', 'en'] as const) {
    const say = i18n.translator(language)
    t.match(say('inbox:note.by', { name: 'مريم' }), '\u2068مريم\u2069')
    t.notMatch(say('inbox:note.by', { name: 'Lucía <b>' }), /\u2068|&lt;/)
    t.notMatch(say('flows:copyName', { name: 'مريم' }), /\u2068/, 'a name that is kept')
  }
})
