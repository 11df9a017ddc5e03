import t from 'tap'
import { endsInShortcut, typedShortcut } from '#client/ready-answers/typed-shortcut.ts'

t.test('a shortcut is typed where a word can begin', async t => {
  t.same(typedShortcut('/pre', 4), { from: 0, typed: 'pre' })
  t.same(typedShortcut('Hola /pre', 9), { from: 5, typed: 'pre' })
  t.equal(typedShortcut('y/o', 3), undefined)
})

t.test('a last line that is only a shortcut is no message', async t => {
  for (const text of ['/precio', '/', '  /precio ', 'Hola\n/precio', 'Hola\r\n/precio\n', '/ñandú'])
    t.ok(endsInShortcut(text), JSON.stringify(text))
})

t.test('what only has a bar in it is one', async t => {
  const messages = ['mirá /precio', 'y/o', '/etc/hosts', '/precio está listo', '/precio\nEs lo que falta', '9 / 18', '']
  for (const text of messages) t.notOk(endsInShortcut(text), JSON.stringify(text))
})
