import { createScopedStore } from '#client/app/input/scoped-store.ts'
import type { Message } from '#shared/inbox/messages.ts'
import type { FileKind } from '#shared/media/sent-files.ts'
import type { Outgoing } from '../outgoing.ts'

/** A file being uploaded. It exists only as long as the page, because browser storage is too small for it. */
export interface SendingFile {
  clientKey: string
  phone: string
  file: File
  kind: FileKind
  caption: string
  at: string
  replyTo: Outgoing['replyTo']
  /** Address of the file in this browser, which shows it until the server has it. */
  url: string
  percent: number
  /** The server refused, or did not answer. */
  reason: string | null
}

export type NewFile = Omit<SendingFile, 'url' | 'percent' | 'reason'>

interface FileSenderParts {
  deliver(item: SendingFile, onPercent: (percent: number) => void, signal: AbortSignal): Promise<Message>
  reasonOf(error: unknown): string
  /** Called when the server has it. */
  delivered(item: SendingFile, message: Message): void
}

export interface FileSender {
  send(files: readonly NewFile[]): void
  retry(clientKey: string): void
  /** Discards a file, and aborts its upload. */
  discard(clientKey: string): void
}

const nothing: readonly SendingFile[] = []
const { read, write: keep, use } = createScopedStore(nothing)
const senders = new Map<string, FileSender>()
/** Scopes with uploads. */
const busy = new Set<string>()

/** Asks before closing the page, which would abort uploads. */
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

const write = (scope: string, items: readonly SendingFile[]) => {
  keep(scope, items)
  if (items.length) busy.add(scope)
  else busy.delete(scope)
  window.removeEventListener('beforeunload', askBeforeLeaving)
  if (busy.size) window.addEventListener('beforeunload', askBeforeLeaving)
}

const change = (scope: string, clientKey: string, patch: Partial<SendingFile>) =>
  write(
    scope,
    read(scope).map(item => (item.clientKey === clientKey ? { ...item, ...patch } : item)),
  )

const remove = (scope: string, clientKey: string) => {
  const item = read(scope).find(one => one.clientKey === clientKey)
  if (!item) return
  write(
    scope,
    read(scope).filter(one => one !== item),
  )
  URL.revokeObjectURL(item.url)
}

/** Files being uploaded. Empty on the server and during hydration. */
export const useSendingFiles = use

export const hasSendingFiles = (scope: string): boolean => read(scope).length > 0

function create(scope: string, parts: FileSenderParts): FileSender {
  let current: { clientKey: string; abort: AbortController } | undefined

  const sendOne = async (item: SendingFile) => {
    const { clientKey } = item
    const abort = new AbortController()
    current = { clientKey, abort }
    try {
      const message = await parts.deliver(item, percent => change(scope, clientKey, { percent }), abort.signal)
      parts.delivered(item, message)
      remove(scope, clientKey)
    } catch (error) {
      if (!abort.signal.aborted) change(scope, clientKey, { percent: 0, reason: parts.reasonOf(error) })
    }
  }

  /** One after another, in the order they were chosen. */
  const drain = async () => {
    if (current) return
    for (;;) {
      const next = read(scope).find(item => item.reason === null)
      if (!next) break
      await sendOne(next)
      current = undefined
    }
  }

  return {
    send(files) {
      const made = files.map(file => ({ ...file, url: URL.createObjectURL(file.file), percent: 0, reason: null }))
      write(scope, [...read(scope), ...made])
      void drain()
    },
    retry(clientKey) {
      change(scope, clientKey, { reason: null })
      void drain()
    },
    discard(clientKey) {
      remove(scope, clientKey)
      if (current?.clientKey === clientKey) current.abort.abort()
    },
  }
}

/** The uploader of a scope. It lives as long as the page, so navigating does not stop uploads. */
export const fileSenderOf = (scope: string, parts: FileSenderParts): FileSender => {
  const known = senders.get(scope) ?? create(scope, parts)
  senders.set(scope, known)
  return known
}

/** Marks a bubble whose file is being uploaded. Its message is the uploaded percentage. */
export const uploadingCode = 'UPLOADING'

/** A file being uploaded, in the form of a stored message. */
export const asFileMessage = (item: SendingFile): Message => ({
  id: item.clientKey,
  clientKey: item.clientKey,
  wamid: null,
  direction: 'out',
  type: item.kind,
  text: item.caption || (item.kind === 'document' ? item.file.name : ''),
  at: item.at,
  status: item.reason === null ? 'queued' : 'failed',
  media: { url: item.url, mime: item.file.type, name: item.file.name, size: item.file.size, state: 'stored' },
  error:
    item.reason === null
      ? { code: uploadingCode, message: String(item.percent) }
      : { code: 'REFUSED', message: item.reason },
  ...(item.replyTo ? { replyTo: item.replyTo } : {}),
})
