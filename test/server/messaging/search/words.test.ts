import t from 'tap'
import { hasWords, isPrefix, wordsOf } from '#server/messaging/search/words.ts'

t.test('what is typed is words without accents, each once, and marks are none', async t => {
  t.same(wordsOf('  ¿Llegó el PEDIDO n. 45? ¡el pedido!'), ['llego', 'el', 'pedido', 'n', '45'])
  t.same(wordsOf('"*- AND()'), ['and'])
  t.same(wordsOf('…'), [])
})

t.test('as many words as anybody types', async t => {
  t.equal(wordsOf(Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')).length, 12)
})

t.test('two letters stand for what begins with them, one for itself', async t => {
  t.ok(isPrefix('ll'))
  t.notOk(isPrefix('l'))
  t.ok(hasWords('Llegó tu pedido', ['lleg', 'ped']))
  t.notOk(hasWords('Llegó tu pedido', ['l']))
  t.ok(hasWords('Opción b', ['b']))
  t.notOk(hasWords('Llegó tu pedido', ['lleg', 'factura']))
  t.notOk(hasWords('despedido', ['pedido']))
})

t.test('an emoji is a word of its own, whatever its colour and how it is joined', async t => {
  t.same(wordsOf('Feliz cumple🎂🎂 ❤️'), ['feliz', 'cumple', '🎂', '❤'])
  t.same(wordsOf('👍🏽'), ['👍'])
  t.same(wordsOf('👩🏽‍🍳'), ['👩', '🍳'])
  t.same(wordsOf('🇦🇷🇧🇷'), ['🇦🇷', '🇧🇷'])
  t.same(wordsOf('1️⃣ 👋'), ['1', '👋'])
  t.ok(hasWords('¡Gracias!🙏🏿', ['🙏']))
  t.notOk(hasWords('¡Gracias!🙏', ['🎂']))
})
