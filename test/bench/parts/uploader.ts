/** A worker that sends one large file, so that who reads beside it has an event loop of its own. */
import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'

export interface UploadTask {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly numberTel: string
  readonly bytes: number
}

/** `beginning`: from now on it is under way; then the status it was answered with. */
export type UploadWord = 'beginning' | number

const { url, headers, numberTel, bytes } = workerData as UploadTask
const tell = (word: UploadWord) => parentPort?.postMessage(word)

const form = new FormData()
form.set('type', 'file')
form.set('numberTel', numberTel)
form.set('name', 'grande.pdf')
form.set('mime_type', 'application/pdf')
const head = Buffer.from('%PDF-1.7\n')
form.set('file', new Blob([head, randomBytes(bytes - 1024)], { type: 'application/pdf' }), 'grande.pdf')
tell('beginning')
const { status } = await fetch(url, { method: 'POST', headers, body: form })
tell(status)
