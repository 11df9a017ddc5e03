import t from 'tap'
import { createKeywords } from '#server/features/opt-outs/keywords.ts'
import { defaultResumeWords, defaultStopWords } from '#server/features/opt-outs/words.ts'
import type { EventOf } from '#server/platform/events/domain.ts'

type Received = EventOf<'message.received'>

const received = (text: string, facts: object = {}) =>
  ({
    type: 'message.received',
    data: { conversationId: 'c', contactId: 'k', message: { type: 'text', text, at: '' }, ...facts },
  }) as unknown as Received

const stage = (confirms = true) => {
  const done: string[] = []
  const note = (what: string) => void done.push(what)
  const { handle } = createKeywords({
    readSettings: async () => {
      note('settings')
      return {
        stopWords: defaultStopWords,
        resumeWords: defaultResumeWords,
        confirms,
        stopText: null,
        resumeText: null,
      }
    },
    readAnswer: async (_db, _orgId, _settings, asked) => {
      note(`words of ${asked}`)
      return asked
    },
    optOut: async () => {
      note('out')
      return ['k']
    },
    optIn: async () => [],
    answer: async (_write, { text }) => note(`answer ${text}`),
  })
  return { done, hear: (...events: Received[]) => handle({ orgId: 'o' } as never, events) }
}

t.test('an organization’s words are read once per batch, its answer only if somebody opts out', async t => {
  const { done, hear } = stage()
  await hear(received('Hola'), received('¿Están?'), received('baja'), received('alta'))
  t.same(done, ['settings', 'out', 'words of stop', 'answer stop'])
})

t.test('an organization without an answer has none read', async t => {
  const { done, hear } = stage(false)
  await hear(received('baja'))
  t.same(done, ['settings', 'out'])
})

t.test('nothing is read for long texts, groups, history, and messages without text', async t => {
  const { done, hear } = stage()
  await hear(
    received('baja '.repeat(40)),
    received('baja', { group: true }),
    received('baja', { past: true }),
    received('', { message: { type: 'image', text: 'baja', at: '' } }),
  )
  t.same(done, [])
})
