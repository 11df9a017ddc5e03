import { ApiError, readApiError } from './api-error.ts'

interface UploadOptions {
  readonly org: string
  readonly signal: AbortSignal
  /** Uploaded percentage, 0 to 100. Called only when it changes. */
  onPercent(percent: number): void
  /** The body is a piece of a larger file, and replaces nothing before it. */
  readonly range?: { readonly start: number; readonly total: number }
}

const headersOf = (body: FormData | Blob, { org, range }: UploadOptions) => ({
  accept: 'application/json',
  'x-organization': org,
  // The browser sets the content type of a form itself, because it includes the boundary.
  ...(body instanceof FormData ? {} : { 'content-type': 'application/octet-stream' }),
  ...(range && body instanceof Blob
    ? { 'content-range': `bytes ${range.start}-${range.start + body.size - 1}/${range.total}` }
    : {}),
})

/**
 * Uploads a form or a file with progress, which `fetch` does not report. @param path of the endpoint, with query
 * @returns the answer @throws ApiError (status 0: no answer); AbortError when the signal ended it
 */
export const upload = (path: string, body: FormData | Blob, options: UploadOptions): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { signal, onPercent, range } = options
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(range ? 'PUT' : 'POST', `/api${path}`)
    request.responseType = 'json'
    for (const [name, value] of Object.entries(headersOf(body, options))) request.setRequestHeader(name, value)
    let last = 0
    request.upload.onprogress = ({ loaded, total }) => {
      const percent = total ? Math.floor((loaded / total) * 100) : 0
      if (percent === last) return
      last = percent
      onPercent(percent)
    }
    request.onload = () => {
      const { status, statusText, response } = request
      if (status < 300) return resolve(response)
      reject(readApiError(response, { status, statusText, requestId: request.getResponseHeader('x-request-id') ?? '' }))
    }
    request.onerror = () => reject(new ApiError({ status: 0, code: 'APP_OFFLINE', message: '' }))
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })

/**
 * Downloads a file of this site, for an organization if the address does not identify it. @throws Error when it is
 * missing or there is no answer
 */
export const download = async (address: string, org?: string): Promise<Blob> => {
  const answer = await fetch(address, org === undefined ? {} : { headers: { 'x-organization': org } })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
  return answer.blob()
}
