import { readFileSync } from 'node:fs'
import t from 'tap'
import { listExamples, readAsked } from '#server/whatsapp/kinds/registry.ts'
import { messageBody } from '#server/whatsapp/message-body.ts'
import { validateMessage } from '#server/whatsapp/serving/validate-message.ts'
import { factsOf, messageTypes } from '#shared/inbox/message-kinds.ts'

// The registries of server and client do not compile without an entry for each kind: `kinds/registry.ts` on both sides.

t.test('what can be asked for leaves as the simulator takes it, and is shown as a kind there is', async t => {
  const examples = listExamples()
  t.ok(examples.length > 3)
  for (const { body, kind } of examples) {
    t.ok(messageTypes.includes(kind), kind)
    const content = readAsked(body.type, { ...body, numberTel: '5491155551234' })
    t.doesNotThrow(() => validateMessage(messageBody({ to: '5491155551234', content: content as never })), body.type)
  }
})

t.test('every kind has a name in both languages', async t => {
  for (const language of ['es', 'en']) {
    const { kind } = JSON.parse(readFileSync(`locales/${language}/inbox.json`, 'utf8'))
    for (const type of messageTypes) t.type(kind[type], 'string', `${language}: ${type}`)
  }
})

t.test('three letters of a search word name its kinds and no others', async t => {
  const words = messageTypes.flatMap(type => (factsOf(type).search ?? []).map(word => ({ type, word })))
  const kindsOf = (word: string) => words.filter(one => one.word === word).map(({ type }) => type)
  for (const { word } of words)
    for (const other of words)
      if (other.word.startsWith(word.slice(0, 3)))
        t.same(kindsOf(other.word), kindsOf(word), `${word.slice(0, 3)}: ${word} or ${other.word}`)
})

t.test('a kind that a later release wrote has no facts', async t => {
  t.same(factsOf('constructor'), {})
})
