import t from 'tap'
import { endsInShortcut, typedShortcut } from '#client/ready-answers/typed-shortcut.ts'

t.test('a shortcut is recognized where a word can begin', async t => {
  t.same(typedShortcut('/pre', 4), { from: 0, typed: 'pre' })
  t.same(typedShortcut('Hola /pre', 9), { from: 5, typed: 'pre' })
  t.equal(typedShortcut('y/o', 3), undefined)
})

t.test('a text whose last line is only a shortcut is not sent', async t => {
  for (const text of ['/precio', '/', '  /precio ', 'Hola\n/precio', 'Hola\r\n/precio\n', '/ñandú'])
    t.ok(endsInShortcut(text), JSON.stringify(text))
})

t.test('a text that merely contains a slash is sent', async t => {
  const messages = ['mirá /precio', 'y/o', '/etc/hosts', '/precio está listo', '/precio\nEs lo que falta', '9 / 18', '']
  for (const text of messages) t.notOk(endsInShortcut(text), JSON.stringify(text))
})
