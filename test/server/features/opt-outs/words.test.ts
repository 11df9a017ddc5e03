import t from 'tap'
import { canBeKeyword, defaultResumeWords, defaultStopWords, keywordReader } from '#server/features/opt-outs/words.ts'
import { optOutWordMaxChars } from '#shared/opt-outs/api.ts'

const words = { stopWords: [...defaultStopWords, 'No más'], resumeWords: defaultResumeWords }
const read = keywordReader(words)

t.test('a word alone opts out or in, regardless of case, accents and punctuation', async t => {
  for (const text of ['BAJA', ' baja ', '¡Baja!', 'stop.', 'NO MAS', 'no   más', 'Stop 🙏'])
    t.equal(read(text), 'stop', text)
  for (const text of ['alta', 'Start', '*ALTA*']) t.equal(read(text), 'resume', text)
})

t.test('a word in a sentence, part of a word and an empty text do neither', async t => {
  for (const text of ['quiero la baja de precio', 'bajar', 'altavoz', '', '👍', '...', `baja ${'x'.repeat(200)}`])
    t.equal(read(text), undefined, text)
})

t.test('the longest word an organization may choose is recognized, with punctuation around it', async t => {
  const word = 'ñ'.repeat(optOutWordMaxChars)
  t.equal(keywordReader({ stopWords: [word], resumeWords: [] })(`¡¡ ${word} !! 🙏`), 'stop')
  t.notOk(canBeKeyword('Hola, quería saber si el sábado abren y hasta qué hora, que paso a buscar la torta de Ana'))
})
