import { buffer } from 'node:stream/consumers'
import { randomHex } from '#server/platform/crypto/random.ts'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'
import { createS3Storage } from './s3.ts'
import type { S3Address } from './s3-address.ts'
import { S3Error } from './s3-client.ts'

type Sentence = (address: S3Address) => readonly [says: string, fix: string]

const wrongRegion: Sentence = ({ bucket, region }) => [
  `The bucket "${bucket}" is not in the region ${region}`,
  'correct region, or endpoint, in MEDIA_URL',
]
const wrongKey: Sentence = ({ endpoint }) => [
  `The file storage at ${endpoint} refused the key`,
  'correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
]

const answers: Readonly<Record<string, Sentence>> = {
  NoSuchBucket: ({ bucket, endpoint }) => [
    `There is no bucket "${bucket}" at ${endpoint}`,
    'make it, or correct MEDIA_URL',
  ],
  InvalidAccessKeyId: wrongKey,
  SignatureDoesNotMatch: wrongKey,
  AuthorizationHeaderMalformed: wrongRegion,
  PermanentRedirect: wrongRegion,
  RequestTimeTooSkewed: ({ endpoint }) => [
    `The clock of this machine and that of ${endpoint} are minutes apart`,
    'set it by a time server',
  ],
  AccessDenied: ({ bucket }) => [
    `The key may not do in the bucket "${bucket}" what keeping files takes`,
    'allow it s3:GetObject, PutObject, DeleteObject, AbortMultipartUpload and ListBucket',
  ],
}

const faultOf = (error: unknown, address: S3Address): InstallationFault | undefined => {
  const found = error instanceof Error ? error.cause : undefined
  if (!(found instanceof S3Error)) return undefined
  const { code, status } = found
  const sentence = answers[code]
  if (sentence) return new InstallationFault(...sentence(address), error)
  const inner = (found.cause as { cause?: NodeJS.ErrnoException } | undefined)?.cause
  const why = status === 0 ? (inner?.code ?? inner?.message ?? 'no answer') : `${status} ${code}`
  const fix = 'start it, or correct bucket and endpoint in MEDIA_URL'
  return new InstallationFault(`The file storage at ${address.endpoint} does not serve (${why})`, fix, error)
}

/**
 * Writes, reads, lists and removes a small file.
 * @throws InstallationFault with the fix
 */
export async function examineS3(address: S3Address): Promise<void> {
  const storage = createS3Storage(address, 'check')
  const path = randomHex(16)
  const bytes = Buffer.from('written by Recado to see that it can')
  try {
    await storage.write(
      path,
      (async function* () {
        yield bytes
      })(),
    )
    const back = await storage.read(path, { start: 1, end: 4 })
    const isThere = back && bytes.subarray(1, 5).equals(await buffer(back))
    // biome-ignore lint/correctness/noUnusedVariables: that it can be listed is what is asked
    for await (const page of storage.list()) break
    await storage.sweep(0)
    await storage.remove(path)
    if (isThere) return
  } catch (error) {
    throw faultOf(error, address) ?? error
  }
  throw new InstallationFault(
    `The file storage at ${address.endpoint} does not give back what it was given`,
    'name one that speaks S3, with ranges, in MEDIA_URL',
  )
}
