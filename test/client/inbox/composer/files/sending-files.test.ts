import t from 'tap'
import {
  asFileMessage,
  fileSenderOf,
  hasSendingFiles,
  type NewFile,
  type SendingFile,
  uploadingCode,
} from '#client/inbox/composer/files/sending-files.ts'
import type { Message } from '#shared/inbox/messages.ts'

const asked: string[] = []
Object.assign(globalThis, {
  window: {
    addEventListener: (name: string) => void asked.push(name),
    removeEventListener: (name: string) => void asked.splice(0, asked.length, ...asked.filter(one => one !== name)),
  },
})
t.teardown(() => Reflect.deleteProperty(globalThis, 'window'))

const aFile = (name: string): NewFile => ({
  clientKey: `key-of-${name}`,
  phone: '5491155551234',
  file: new File(['bytes'], name, { type: 'application/pdf' }),
  kind: 'document',
  caption: '',
  at: '2026-11-22T12:00:00.000Z',
  replyTo: null,
})

/** A file uploader whose uploads end when the test says so. */
const stage = (scope: string) => {
  const begun: { item: SendingFile; signal: AbortSignal; end(fault?: Error): void; percent(value: number): void }[] = []
  const delivered: string[] = []
  const sender = fileSenderOf(scope, {
    deliver: (item, onPercent, signal) =>
      new Promise<Message>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        begun.push({
          item,
          signal,
          end: fault => (fault ? reject(fault) : resolve({ id: item.clientKey } as Message)),
          percent: onPercent,
        })
      }),
    reasonOf: error => (error as Error).message,
    delivered: item => void delivered.push(item.file.name),
  })
  /** Waits for everything that follows from the last step. */
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return { sender, begun, delivered, settle }
}

t.test('files are uploaded one after another, in the chosen order', async t => {
  const { sender, begun, delivered, settle } = stage('order')
  sender.send([aFile('uno.pdf'), aFile('dos.pdf')])
  t.equal(begun.length, 1)
  t.same(asked, ['beforeunload'], 'leaving the page would lose them: the browser asks')
  begun[0]?.end()
  await settle()
  t.equal(begun.length, 2)
  begun[1]?.end()
  await settle()
  t.same(delivered, ['uno.pdf', 'dos.pdf'])
  t.notOk(hasSendingFiles('order'))
  t.same(asked, [])
})

t.test('cancelling a file stops its upload, and the next one starts', async t => {
  const { sender, begun, delivered, settle } = stage('cancel')
  sender.send([aFile('uno.pdf'), aFile('dos.pdf')])
  sender.discard('key-of-uno.pdf')
  t.ok(begun[0]?.signal.aborted)
  await settle()
  t.equal(begun[1]?.item.file.name, 'dos.pdf')
  begun[1]?.end()
  await settle()
  t.same(delivered, ['dos.pdf'])
})

t.test('a failed file keeps its reason until it is retried, and delays no other', async t => {
  const { sender, begun, delivered, settle } = stage('retry')
  sender.send([aFile('uno.pdf'), aFile('dos.pdf')])
  begun[0]?.end(new Error('se cortó'))
  await settle()
  begun[1]?.end()
  await settle()
  t.same(delivered, ['dos.pdf'])
  t.ok(hasSendingFiles('retry'))
  sender.retry('key-of-uno.pdf')
  t.equal(begun[2]?.item.clientKey, 'key-of-uno.pdf', 'under the same key: it cannot become two')
  begun[2]?.end()
  await settle()
  t.same(delivered, ['dos.pdf', 'uno.pdf'])
})

t.test('its bubble appears at once with the progress, later with the failure', async t => {
  const item = { ...aFile('lista.pdf'), url: 'blob:1', percent: 45, reason: null }
  t.match(asFileMessage(item), {
    type: 'document',
    text: 'lista.pdf',
    status: 'queued',
    media: { url: 'blob:1', state: 'stored', size: 5 },
    error: { code: uploadingCode, message: '45' },
  })
  t.match(asFileMessage({ ...item, caption: 'La lista', reason: 'se cortó' }), {
    text: 'La lista',
    status: 'failed',
    error: { code: 'REFUSED', message: 'se cortó' },
  })
})
