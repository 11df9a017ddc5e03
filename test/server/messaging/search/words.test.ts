import t from 'tap'
import { hasWords, isPrefix, searchWords } from '#server/messaging/search/words.ts'

t.test('input becomes distinct words without accents; punctuation is dropped', async t => {
  t.same(searchWords('  ¿Llegó el PEDIDO n. 45? ¡el pedido!'), ['llego', 'el', 'pedido', 'n', '45'])
  t.same(searchWords('"*- AND()'), ['and'])
  t.same(searchWords('…'), [])
})

t.test('the number of words is limited to what people type', async t => {
  t.equal(searchWords(Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')).length, 12)
})

t.test('two letters match by prefix, one letter matches only itself', async t => {
  t.ok(isPrefix('ll'))
  t.notOk(isPrefix('l'))
  t.ok(hasWords('Llegó tu pedido', ['lleg', 'ped']))
  t.notOk(hasWords('Llegó tu pedido', ['l']))
  t.ok(hasWords('Opción b', ['b']))
  t.notOk(hasWords('Llegó tu pedido', ['lleg', 'factura']))
  t.notOk(hasWords('despedido', ['pedido']))
})

t.test('an emoji is a word of its own, whatever its skin tone and joiners', async t => {
  t.same(searchWords('Feliz cumple🎂🎂 ❤️'), ['feliz', 'cumple', '🎂', '❤'])
  t.same(searchWords('👍🏽'), ['👍'])
  t.same(searchWords('👩🏽‍🍳'), ['👩', '🍳'])
  t.same(searchWords('🇦🇷🇧🇷'), ['🇦🇷', '🇧🇷'])
  t.same(searchWords('1️⃣ 👋'), ['1', '👋'])
  t.ok(hasWords('¡Gracias!🙏🏿', ['🙏']))
  t.notOk(hasWords('¡Gracias!🙏', ['🎂']))
})
