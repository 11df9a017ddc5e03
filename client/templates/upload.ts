import type { WireError } from '#shared/error.ts'
import { type TemplateMedia, uploadTemplateMedia } from '#shared/templates.ts'
import { ApiError } from '../api-error.ts'

/** Sends a file of a header as it is and tells how far it is, 0 to 1. @throws ApiError; AbortError when called off */
export const uploadFile = (
  org: string,
  file: File,
  { signal, progress }: { signal: AbortSignal; progress(part: number): void },
): Promise<TemplateMedia> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api${uploadTemplateMedia.path}?name=${encodeURIComponent(file.name.slice(0, 240))}`)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('x-organization', org)
    request.responseType = 'json'
    request.upload.onprogress = event => event.lengthComputable && progress(event.loaded / event.total)
    request.onload = () => {
      if (request.status < 300 && request.response) return resolve(request.response as TemplateMedia)
      const refused = request.response as Partial<WireError> | null
      reject(
        new ApiError({
          code: refused?.code ?? 'APP_UNAVAILABLE',
          message: refused?.message ?? '',
          status: request.status,
          ...(refused?.details ? { details: refused.details } : {}),
        }),
      )
    }
    request.onerror = () => reject(new ApiError({ status: 0, code: 'APP_OFFLINE', message: '' }))
    request.onabort = () => reject(new DOMException('called off', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
