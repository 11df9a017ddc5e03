import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Address } from '#server/platform/storage/s3-address.ts'

const bucket = 'recado-files'
const region = 'test-1'
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const encoded = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16)}`)

/** The expected signature, version 4, by Amazon's description. */
const signatureOf = (request: IncomingMessage, url: URL, secret: string): string => {
  const [, date = '', place = '', names = ''] =
    /Credential=[^/]+\/(\d{8})\/([^,]+), ?SignedHeaders=([^,]+)/.exec(request.headers.authorization ?? '') ?? []
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const headers = names.split(';').map(name => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const hash = String(request.headers['x-amz-content-sha256'])
  const canonical = [request.method, url.pathname, query, headers.join(''), names, hash].join('\n')
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], `${date}/${place}`, sha256(canonical)].join('\n')
  const [ofRegion = '', service = '', end = ''] = place.split('/')
  const key = [ofRegion, service, end].reduce((before, part) => hmac(before, part), hmac(`AWS4${secret}`, date))
  return hmac(key, text).toString('hex')
}

interface Upload {
  key: string
  parts: Map<number, Buffer>
  at: Date
}

/** An S3 bucket in memory, with signatures, hashes, ranges, paged lists and multipart uploads. */
export async function fakeS3(t: { teardown(end: () => Promise<void>): void }) {
  const objects = new Map<string, { bytes: Buffer; at: Date }>()
  const uploads = new Map<string, Upload>()
  const asked: string[] = []
  /** Failures of the next requests: a status with its code, or a broken connection. */
  const troubles: ({ status: number; code: string } | 'cut')[] = []
  let largest = 0
  /** The refusal to list unfinished uploads; undefined: it lists them. */
  let unlisted: { status: number; code: string } | undefined

  const say = (reply: ServerResponse, status: number, body: string | Buffer = '', headers = {}) =>
    void reply.writeHead(status, headers).end(body)
  const refuse = (reply: ServerResponse, status: number, code: string) =>
    say(reply, status, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)

  const onBucket = (url: URL, reply: ServerResponse) => {
    const prefix = url.searchParams.get('prefix') ?? ''
    if (url.searchParams.has('uploads')) {
      if (unlisted) return refuse(reply, unlisted.status, unlisted.code)
      const all = [...uploads].filter(([, { key }]) => key.startsWith(prefix))
      const rows = all.map(
        ([id, { key, at }]) =>
          `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
      )
      return say(reply, 200, `<ListMultipartUploadsResult>${rows.join('')}</ListMultipartUploadsResult>`)
    }
    const from = url.searchParams.get('continuation-token') ?? ''
    const all = [...objects]
      .filter(([key]) => key.startsWith(prefix) && key > from)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const page = all.slice(0, 3)
    const rows = page.map(
      ([key, { at }]) => `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified></Contents>`,
    )
    const next = all.length > 3 ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : ''
    return say(reply, 200, `<ListBucketResult>${rows.join('')}${next}</ListBucketResult>`)
  }

  const onObject = (request: IncomingMessage, url: URL, key: string, body: Buffer, reply: ServerResponse) => {
    const id = url.searchParams.get('uploadId') ?? ''
    const upload = uploads.get(id)
    if (id && !upload) return refuse(reply, 404, 'NoSuchUpload')
    const etag = `"${createHash('md5').update(body).digest('hex')}"`
    if (request.method === 'PUT') {
      if (upload) upload.parts.set(Number(url.searchParams.get('partNumber')), body)
      else objects.set(key, { bytes: body, at: new Date() })
      return say(reply, 200, '', { etag })
    }
    if (request.method === 'DELETE') {
      if (upload) uploads.delete(id)
      else objects.delete(key)
      return say(reply, 204)
    }
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      const made = randomUUID()
      uploads.set(made, { key, parts: new Map(), at: new Date() })
      return say(
        reply,
        200,
        `<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (request.method === 'POST' && upload) {
      const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)
      if (parts.slice(0, -1).some(part => part.length < 5 * 1024 * 1024)) return refuse(reply, 400, 'EntityTooSmall')
      objects.set(key, { bytes: Buffer.concat(parts), at: new Date() })
      uploads.delete(id)
      return say(reply, 200, `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`)
    }
    const found = objects.get(key)
    if (!found) return refuse(reply, 404, 'NoSuchKey')
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    if (!range) return say(reply, 200, found.bytes)
    return say(reply, 206, found.bytes.subarray(Number(range[1]), Number(range[2]) + 1))
  }

  const server = createServer((request, reply) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = Buffer.concat(chunks)
      largest = Math.max(largest, body.length)
      const url = new URL(request.url ?? '', 'http://s3')
      asked.push(`${request.method} ${url.pathname}${url.search}`)
      const trouble = troubles.shift()
      if (trouble === 'cut') return void request.socket.destroy()
      if (trouble) return refuse(reply, trouble.status, trouble.code)
      const { authorization = '' } = request.headers
      if (!authorization.includes(`Credential=${keys.accessKeyId}/`)) return refuse(reply, 403, 'InvalidAccessKeyId')
      if (!authorization.includes(`/${region}/s3/aws4_request`))
        return refuse(reply, 400, 'AuthorizationHeaderMalformed')
      if (!authorization.endsWith(`Signature=${signatureOf(request, url, keys.secretAccessKey)}`))
        return refuse(reply, 403, 'SignatureDoesNotMatch')
      if (request.headers['x-amz-content-sha256'] !== sha256(body))
        return refuse(reply, 400, 'XAmzContentSHA256Mismatch')
      const [, named, ...rest] = url.pathname.split('/')
      if (named !== bucket) return refuse(reply, 404, 'NoSuchBucket')
      const key = rest.map(decodeURIComponent).join('/')
      return key ? onObject(request, url, key, body, reply) : onBucket(url, reply)
    })().catch(error => reply.destroy(error))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  t.teardown(close)
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const address: S3Address = { endpoint, region, bucket, prefix: 'recado/', ...keys }
  return {
    address,
    env: {
      MEDIA_URL: `s3://${bucket}/recado?endpoint=${endpoint}&region=${region}`,
      AWS_ACCESS_KEY_ID: keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    objects,
    uploads,
    asked,
    troubles,
    refuseToList(how: { status: number; code: string }) {
      unlisted = how
    },
    /** The size of the largest request body. */
    largest: () => largest,
    /** Stops the server. */
    close,
  }
}
