import type { WireError } from '#shared/error.ts'
import { ApiError } from './api-error.ts'

export interface UploadOptions {
  readonly org: string
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  onPercent(percent: number): void
}

const isWireError = (value: unknown): value is WireError =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value

const refusalOf = (request: XMLHttpRequest): ApiError => {
  const facts = { status: request.status, requestId: request.getResponseHeader('x-request-id') ?? '' }
  if (isWireError(request.response)) return new ApiError({ ...request.response, ...facts })
  return new ApiError({ ...facts, code: 'APP_UNAVAILABLE', message: request.statusText })
}

/** Sends a form and tells how much of it has left, which `fetch` cannot. Rejects with `ApiError`; status 0: nobody answered. */
export const sendForm = (path: string, form: FormData, { org, idempotencyKey, signal, onPercent }: UploadOptions) =>
  new Promise<unknown>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api${path}`)
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('x-organization', org)
    request.setRequestHeader('idempotency-key', idempotencyKey)
    let last = 0
    request.upload.onprogress = ({ loaded, total }) => {
      const percent = total ? Math.floor((loaded / total) * 100) : 0
      if (percent === last) return
      last = percent
      onPercent(percent)
    }
    request.onload = () => (request.status < 300 ? resolve(request.response) : reject(refusalOf(request)))
    request.onerror = () => reject(new ApiError({ status: 0, code: 'APP_OFFLINE', message: '' }))
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
